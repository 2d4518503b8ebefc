import { scenarios } from './runner.ts';

scenarios(`
R10 a hidden order is not in the visible book and pays the taker fee when it rests
  A: alice sell 2 @ 100 hidden        -> open
    * received A
    * alice BTC -2 held +2 (hold)
    * opened A 2
  book asks none
  B: bob buy 1 @ 100                  -> done filled
    * received B
    * bob USDT -100.2 held +100.2 (hold)
    * trade 1 @ 100 buy
    * bob USDT held -100.2 (trade)
    * bob BTC +1 (trade)
    * alice BTC held -1 (trade)
    * alice USDT +99.8 (trade)
    * system fees USDT +0.4 (trade)
    * done B filled
  trade 1 @ 100 buy with A, fees 0.2/0.2, rates taker/taker, liquidity taker/maker
  alice cancel A                      -> done requested, deal 1, cancelled 1
    * alice BTC +1 held -1 (release)
    * done A requested

R10 a resting hidden buy pays the taker fee from its hold
  A: alice buy 2 @ 100 hidden
  bob sell 2 @ 100                    -> done filled
  trade 2 @ 100 sell with A, fees 0.4/0.4, rates taker/taker
  alice USDT 9799.6 + 0 held

R10 an iceberg order pays the taker fee when it rests
  A: alice sell 4 @ 100 iceberg visible=2
  bob buy 2 @ 100                     -> done filled
  trade 2 @ 100 buy with A, fees 0.4/0.4, rates taker/taker, liquidity taker/maker

R10 incoming hidden and iceberg orders pay the taker fee
  alice sell 4 @ 100
  bob buy 2 @ 100 hidden              -> done filled
  trade 2 @ 100 buy fees 0.4/0.2, rates taker/maker
  bob buy 2 @ 100 iceberg visible=1   -> done filled
  trade 2 @ 100 buy fees 0.4/0.2, rates taker/maker

R10 hidden and iceberg together execute as iceberg
  A: alice sell 4 @ 100 hidden iceberg visible=1  -> open remaining 4
  shows order A hidden=false iceberg=true visibleSize=1
  book asks 100: 1

R10 the visible part matches first, then the next slice emerges
  A: alice sell 5 @ 100 iceberg visible=2   -> open remaining 5
    * received A
    * alice BTC -5 held +5 (hold)
    * opened A 5
    * book ask 100: 2
  B: bob buy 3 @ 100                  -> done filled, deal 3
    * received B
    * bob USDT -300.6 held +300.6 (hold)
    * trade 2 @ 100 buy
    * bob USDT held -200.4 (trade)
    * bob BTC +2 (trade)
    * alice BTC held -2 (trade)
    * alice USDT +199.6 (trade)
    * system fees USDT +0.8 (trade)
    * book ask 100: 0
    * book ask 100: 2
    * trade 1 @ 100 buy
    * bob USDT held -100.2 (trade)
    * bob BTC +1 (trade)
    * alice BTC held -1 (trade)
    * alice USDT +99.8 (trade)
    * system fees USDT +0.4 (trade)
    * book ask 100: 1
    * done B filled
  order A open deal 3 remaining 2
  bob buy 1 @ 100
  book ask 100: 1
  bob buy 1 @ 100
  order A done filled deal 5
  book asks none

R10 each new slice joins the end of the queue
  A: alice sell 4 @ 100 iceberg visible=1
  B: carol sell 1.5 @ 100
  book ask 100: 2.5
  bob buy 2 @ 100                     -> done filled
  trade 1 @ 100 buy with A
  trade 1 @ 100 buy with B
  book ask 100: 1.5
  bob buy 2 @ 100                     -> done filled
  trade 0.5 @ 100 buy with B
  trade 1 @ 100 buy with A
  trade 0.5 @ 100 buy with A
  book ask 100: 0.5

R10 two icebergs take turns
  A: alice buy 3 @ 100 iceberg visible=1
  B: bob buy 3 @ 100 iceberg visible=1
  carol sell 4.5 @ 100                -> done filled
  trade 1 @ 100 sell with A
  trade 1 @ 100 sell with B
  trade 1 @ 100 sell with A
  trade 1 @ 100 sell with B
  trade 0.5 @ 100 sell with A
  book bid 100: 1.5

R10 at a price the visible trades before the hidden, whoever came first
  A: alice sell 1 @ 100 hidden
  B: carol sell 1 @ 100
  bob buy 1.5 @ 100                   -> done filled
  trade 1 @ 100 buy with B
  trade 0.5 @ 100 buy with A

R10 all slices of an iceberg trade before the hidden queue
  A: carol sell 1 @ 100 hidden
  B: alice sell 3 @ 100 iceberg visible=1
  bob buy 3.5 @ 100                   -> done filled
  trade 1 @ 100 buy with B
  trade 1 @ 100 buy with B
  trade 1 @ 100 buy with B
  trade 0.5 @ 100 buy with A

R10 a hidden order at a better price trades before visible ones behind it
  A: alice sell 1 @ 101
  B: carol sell 1 @ 100 hidden
  bob buy 2 @ 101                     -> done filled, for 201
  trade 1 @ 100 buy with B
  trade 1 @ 101 buy with A

R10 hidden orders of one price trade in order of arrival, with all their size
  A: alice sell 2 @ 100 hidden
  B: carol sell 2 @ 100 hidden
  bob buy 3 @ 100
  trade 2 @ 100 buy with A
  trade 1 @ 100 buy with B

R10 an incoming iceberg takes with all its size, and rests with a slice
  alice sell 2 @ 100
  B: bob buy 5 @ 100 iceberg visible=1  -> open deal 2, remaining 3
  trade 2 @ 100 buy
  book bids 100: 1

R10 visibleSize needs an iceberg, an iceberg needs visibleSize
  alice sell 10 @ 100 iceberg         -> rejected field-missing field=visibleSize
  alice sell 10 @ 100 visible=1       -> rejected field-not-allowed field=visibleSize
  alice sell 10 @ 100 hidden visible=1  -> rejected field-not-allowed field=visibleSize

R10 reducing an iceberg takes the hidden rest first, then the slice
  A: alice sell 5 @ 100 iceberg visible=2
  alice reduce A by 2                 -> open remaining 3, cancelled 2
    * alice BTC +2 held -2 (release)
    * reduced A by 2 to 3 requested
  book ask 100: 2
  alice reduce A by 1.5               -> open remaining 1.5
    * book ask 100: 1.5
    * alice BTC +1.5 held -1.5 (release)
    * reduced A by 1.5 to 1.5 requested

R9 a postOnly order that does not cross rests
  alice sell 1 @ 101
  B: bob buy 2 @ 100 postOnly         -> open
  shows order B postOnly=true
  alice sell 2 @ 100                  -> done filled
  trade 2 @ 100 sell with B, fees 0.4/0.2, rates taker/maker, liquidity taker/maker

R9 a postOnly order fills against a hidden one: it pays the maker fee, the hidden one the taker fee
  A: alice sell 2 @ 100 hidden
  B: bob buy 2 @ 100 postOnly         -> done filled, deal 2
    * received B
    * bob USDT -200.4 held +200.4 (hold)
    * trade 2 @ 100 buy
    * bob USDT +0.2 held -200.4 (trade)
    * bob BTC +2 (trade)
    * alice BTC held -2 (trade)
    * alice USDT +199.6 (trade)
    * system fees USDT +0.6 (trade)
    * done A filled
    * done B filled
  trade 2 @ 100 buy with A, fees 0.2/0.4, rates maker/taker, liquidity maker/taker

R9 a postOnly order fills against an iceberg, slice by slice
  A: alice sell 3 @ 100 iceberg visible=1
  bob buy 2 @ 100 postOnly            -> done filled, deal 2
  trade 1 @ 100 buy with A, fees 0.1/0.2, rates maker/taker, liquidity maker/taker
  trade 1 @ 100 buy with A, fees 0.1/0.2, rates maker/taker, liquidity maker/taker
  book ask 100: 1

R9 where the next order would be an ordinary one, what is left is cancelled
  A: carol sell 1 @ 99 hidden
  B: alice sell 1 @ 100
  bob buy 3 @ 100 postOnly            -> done post-only, deal 1, for 99, cancelled 2
  trade 1 @ 99 buy with A, fees 0.099/0.198
  order B open remaining 1

R9 an ordinary order before the hidden one at the same price stops it
  A: carol sell 1 @ 100 hidden
  B: alice sell 1 @ 100
  bob buy 1 @ 100 postOnly            -> done post-only, deal 0, cancelled 1
  no trade

R9 an ordinary order between two slices stops it
  A: carol sell 3 @ 100 iceberg visible=1
  B: alice sell 1 @ 100
  bob buy 3 @ 100 postOnly            -> done post-only, deal 1, cancelled 2
  trade 1 @ 100 buy with A
  book ask 100: 2

R9 after filling against hidden orders the rest comes to rest
  alice sell 1 @ 100 hidden
  B: bob buy 3 @ 100 postOnly         -> open deal 1, remaining 2
  book bids 100: 2

R9+R10 a postOnly order that is itself hidden or iceberg pays the taker fee, as maker
  A: alice sell 2 @ 100 hidden
  bob buy 1 @ 100 postOnly hidden     -> done filled
  trade 1 @ 100 buy fees 0.2/0.2, rates taker/taker, liquidity maker/taker
  bob buy 1 @ 100 postOnly iceberg visible=1  -> done filled
  trade 1 @ 100 buy fees 0.2/0.2, rates taker/taker, liquidity maker/taker

R9 postOnly is ignored with IOC and FOK
  alice sell 5 @ 100
  B: bob buy 2 @ 100 IOC postOnly     -> done filled, deal 2
  shows order B postOnly=false
  trade 2 @ 100 buy fees 0.4/0.2, rates taker/maker
  C: bob buy 2 @ 100 FOK postOnly     -> done filled, deal 2
  shows order C postOnly=false

R9+R7 a postOnly order before its own hidden order follows stp
  A: alice sell 1 @ 100 hidden
  alice buy 1 @ 100 postOnly stp=CN   -> done self-trade, deal 0
  alice buy 1 @ 100 postOnly stp=CO   -> open
  order A done self-trade
`);
