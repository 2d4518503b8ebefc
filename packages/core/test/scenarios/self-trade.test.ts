import { scenarios } from './runner.ts';

scenarios(`
R7 without stp an order fills against the user's own orders
  A: alice sell 2 @ 100
  alice buy 2 @ 100                   -> done filled, deal 2
  trade 2 @ 100 buy with A, fees 0.4/0.2
  alice BTC 100 + 0 held  USDT 9999.4 + 0 held

R7 CN limit: the new order is cancelled, the old one stays
  A: alice sell 2 @ 100
  B: alice buy 3 @ 100 stp=CN         -> done self-trade, deal 0, cancelled 3
    * received B
    * alice USDT -300.6 held +300.6 (hold)
    * alice USDT +300.6 held -300.6 (release)
    * done B self-trade
  order A open remaining 2

R7 CN limit: what comes before the own order trades
  A: bob sell 1 @ 100
  B: alice sell 2 @ 100
  C: carol sell 5 @ 100
  alice buy 4 @ 100 stp=CN            -> done self-trade, deal 1, cancelled 3
  trade 1 @ 100 buy with A
  order B open remaining 2
  order C open remaining 5

R7 CN limit: an own order that is not reached does not matter
  bob sell 3 @ 100
  alice sell 2 @ 100
  alice buy 3 @ 100 stp=CN            -> done filled, deal 3

R7 CO limit: the old order is cancelled, matching goes on
  A: alice sell 2 @ 100
  C: bob sell 2 @ 101
  B: alice buy 3 @ 101 stp=CO         -> open deal 2, for 202, remaining 1
    * received B
    * alice USDT -303.606 held +303.606 (hold)
    * book ask 100: 0
    * alice BTC +2 held -2 (release)
    * done A self-trade
    * trade 2 @ 101 buy
    * alice USDT held -202.404 (trade)
    * alice BTC +2 (trade)
    * bob BTC held -2 (trade)
    * bob USDT +201.798 (trade)
    * system fees USDT +0.606 (trade)
    * book ask 101: 0
    * done C filled
    * opened B 1
    * book bid 101: 1
  order A done self-trade deal 0 cancelled 2

R7 CO limit: with nothing else in the way the new order rests
  A: alice buy 2 @ 100
  B: alice sell 3 @ 99 stp=CO         -> open deal 0, remaining 3
  order A done self-trade
  book bids none
  book asks 99: 3

R7 CB limit: both are cancelled, the old one first
  A: alice sell 2 @ 100
  C: bob sell 2 @ 100
  B: alice buy 3 @ 100 stp=CB         -> done self-trade, deal 0, cancelled 3
    * received B
    * alice USDT -300.6 held +300.6 (hold)
    * book ask 100: 2
    * alice BTC +2 held -2 (release)
    * done A self-trade
    * alice USDT +300.6 held -300.6 (release)
    * done B self-trade
  order C open remaining 2
  alice BTC 100 + 0 held  USDT 10000 + 0 held

R7 DC: the smaller new order is cancelled, the larger old one reduced
  A: alice sell 5 @ 100
  B: alice buy 2 @ 100 stp=DC         -> done self-trade, deal 0, cancelled 2
    * received B
    * alice USDT -200.4 held +200.4 (hold)
    * book ask 100: 3
    * alice BTC +2 held -2 (release)
    * reduced A by 2 to 3 self-trade
    * alice USDT +200.4 held -200.4 (release)
    * done B self-trade
  book ask 100: 3
  order A open remaining 3 cancelled 2 deal 0
  alice BTC 97 + 3 held  USDT 10000 + 0 held

R7 DC: the smaller old order is cancelled, the larger new one reduced
  A: alice sell 2 @ 100
  B: alice buy 5 @ 100 stp=DC         -> open deal 0, remaining 3, cancelled 2, size 5
    * received B
    * alice USDT -501 held +501 (hold)
    * book ask 100: 0
    * alice BTC +2 held -2 (release)
    * done A self-trade
    * alice USDT +200.4 held -200.4 (release)
    * reduced B by 2 to 3 self-trade
    * opened B 3
    * book bid 100: 3
  order B open remaining 3 cancelled 2 holds 300.6

R7 DC: equal orders are both cancelled
  A: alice sell 2 @ 100
  B: alice buy 2 @ 100 stp=DC         -> done self-trade, deal 0, cancelled 2
    * received B
    * alice USDT -200.4 held +200.4 (hold)
    * book ask 100: 0
    * alice BTC +2 held -2 (release)
    * done A self-trade
    * alice USDT +200.4 held -200.4 (release)
    * done B self-trade
  alice BTC 100 + 0 held  USDT 10000 + 0 held

R7 DC: after a reduction the new order goes on and trades
  A: alice sell 1 @ 100
  B: bob sell 1 @ 100
  C: alice buy 3 @ 100 stp=DC         -> open deal 1, remaining 1, cancelled 1
  trade 1 @ 100 buy with B
  bob sell 1 @ 100                    -> done filled
  order C done filled deal 2 cancelled 1

R7+R10 DC counts the whole remainder of an iceberg, its hidden rest goes first
  A: alice sell 5 @ 100 iceberg visible=1
  B: alice buy 3 @ 100 stp=DC         -> done self-trade, cancelled 3
    * received B
    * alice USDT -300.6 held +300.6 (hold)
    * alice BTC +3 held -3 (release)
    * reduced A by 3 to 2 self-trade
    * alice USDT +300.6 held -300.6 (release)
    * done B self-trade
  book ask 100: 1
  alice buy 1.5 @ 100 stp=DC          -> done self-trade, cancelled 1.5
  order A open remaining 0.5 cancelled 4.5
  book ask 100: 0.5
  alice buy 2 @ 100 stp=DC            -> open remaining 1.5, cancelled 0.5
  order A done self-trade

R7+R10 DC against a hidden order changes no book
  A: alice sell 5 @ 100 hidden
  B: alice buy 2 @ 100 stp=DC         -> done self-trade
    * received B
    * alice USDT -200.4 held +200.4 (hold)
    * alice BTC +2 held -2 (release)
    * reduced A by 2 to 3 self-trade
    * alice USDT +200.4 held -200.4 (release)
    * done B self-trade
  order A open remaining 3

R7 CN market by size: the new order is cancelled
  A: bob sell 1 @ 100
  B: alice sell 2 @ 100
  alice buy 2 market stp=CN           -> done self-trade, deal 1, cancelled 1
  trade 1 @ 100 buy with A
  order B open remaining 2

R7 CN market by funds: what is left of the funds comes back
  A: bob sell 1 @ 100
  B: alice sell 2 @ 100
  alice buy for 200 market stp=CN     -> done self-trade, deal 1, for 100, back 99.8, cancelled 0
  order B open remaining 2
  alice USDT 9899.8 + 0 held

R7 CO market: the old order is cancelled, matching goes on
  A: alice sell 2 @ 100
  B: bob sell 3 @ 101
  alice buy 1 market stp=CO           -> done filled, deal 1, for 101
  trade 1 @ 101 buy with B
  order A done self-trade cancelled 2
  alice buy for 101.202 market stp=CO -> rejected funds-increment
  alice buy for 101.21 market stp=CO  -> done filled, deal 1

R7 CO market: own orders alone leave an empty book
  A: alice buy 2 @ 100
  alice sell 1 market stp=CO          -> done book-end, deal 0, cancelled 1
  order A done self-trade

R7 CB market: both are cancelled
  A: alice buy 2 @ 100
  B: bob buy 2 @ 100
  alice sell 3 market stp=CB          -> done self-trade, deal 0, cancelled 3
  order A done self-trade
  order B open remaining 2

R7 a market order without stp fills against own orders
  A: alice sell 2 @ 100
  alice buy 2 market                  -> done filled, deal 2
  trade 2 @ 100 buy with A

R7 DC is not for market orders
  alice sell 2 @ 100
  alice buy 2 market stp=DC           -> rejected field-not-allowed field=stp

R7 the incoming order's flag decides, not the resting one's
  A: alice sell 2 @ 100 stp=CN
  alice buy 2 @ 100                   -> done filled
  trade 2 @ 100 buy with A

R7 a sub-account is another user
  A: alice-sub sell 2 @ 100
  alice buy 2 @ 100 stp=CN            -> done filled
  trade 2 @ 100 buy with A

R7+R8 FOK carries CN whatever was sent, and own orders stop it
  A: bob sell 1 @ 100
  B: alice sell 2 @ 100
  C: alice buy 2 @ 100 FOK stp=CO     -> done fok, deal 0, cancelled 2
  shows order C stp=CN
  order A open remaining 1
  order B open remaining 2
  D: alice buy 2 @ 100 FOK            -> done fok, deal 0
  shows order D stp=CN
  E: alice buy 1 @ 100 FOK stp=DC     -> done filled, deal 1
  shows order E stp=CN

R7+R10 CO cancels own hidden and iceberg orders
  A: alice sell 2 @ 100 hidden
  B: alice sell 2 @ 100 iceberg visible=1
  C: alice buy 1 @ 100 stp=CO         -> open
    * received C
    * alice USDT -100.2 held +100.2 (hold)
    * book ask 100: 0
    * alice BTC +2 held -2 (release)
    * done B self-trade
    * alice BTC +2 held -2 (release)
    * done A self-trade
    * opened C 1
    * book bid 100: 1
`);
