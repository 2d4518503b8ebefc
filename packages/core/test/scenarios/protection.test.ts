import { scenarios } from './runner.ts';

scenarios(`
R11 limit buy: a price past best + rate within the needed depth cancels the order whole
  symbol priceLimitRate=0.1
  alice sell 1 @ 100
  alice sell 1 @ 110
  alice sell 1 @ 110.1
  bob buy 2.01 @ 120                  -> done price-protection, deal 0, cancelled 2.01
  no trade
  book asks 100: 1, 110: 1, 110.1: 1
  bob buy 2 @ 120                     -> done filled, deal 2, for 210

R11 limit sell: a price past best - rate within the needed depth cancels the order whole
  symbol priceLimitRate=0.1
  alice buy 1 @ 100
  alice buy 1 @ 90
  alice buy 1 @ 89.9
  bob sell 2.01 @ 80                  -> done price-protection, deal 0, cancelled 2.01
  no trade
  bob sell 2 @ 80                     -> done filled, deal 2, for 190

R11 what the limit keeps out does not count: the order fills and rests
  symbol priceLimitRate=0.1
  alice sell 1 @ 100
  alice sell 1 @ 120
  bob buy 3 @ 110                     -> open deal 1, remaining 2

R11 an order that only rests is not affected, however far its price
  symbol priceLimitRate=0.1
  alice buy 1 @ 1000                  -> open
  bob sell 1 @ 1001                   -> open
  carol buy 1 @ 1                     -> open

R11 an order larger than the book within the bound fills and rests past the bound
  symbol priceLimitRate=0.1
  alice sell 1 @ 100
  bob buy 3 @ 150                     -> open deal 1, remaining 2
  book bids 150: 2

R11 IOC and FOK are cancelled whole as well, before anything else is asked
  symbol priceLimitRate=0.1
  alice sell 1 @ 100
  alice sell 1 @ 111
  bob buy 2 @ 111 IOC                 -> done price-protection, deal 0
  bob buy 2 @ 111 FOK                 -> done price-protection, deal 0
  bob buy 5 @ 111 FOK                 -> done price-protection, deal 0
  bob buy 2 @ 110 FOK                 -> done fok, deal 0

R11 market buy by size: executed up to the bound, the rest cancelled
  symbol priceLimitRate=0.1
  alice sell 1 @ 100
  alice sell 1 @ 110
  alice sell 1 @ 110.1
  bob buy 3 market                    -> done price-protection, deal 2, for 210, cancelled 1
  book asks 110.1: 1

R11 market buy by funds: executed up to the bound, the rest of the funds comes back
  symbol priceLimitRate=0.1
  alice sell 1 @ 100
  alice sell 1 @ 110
  alice sell 1 @ 110.1
  bob buy for 1000 market             -> done price-protection, deal 2, for 210, back 789.58
  bob USDT 9789.58 + 0 held

R11 market sell: executed down to the bound
  symbol priceLimitRate=0.1
  alice buy 1 @ 100
  alice buy 1 @ 90
  alice buy 1 @ 89.9
  bob sell 3 market                   -> done price-protection, deal 2, for 190, cancelled 1
  bob sell for 50 market              -> done filled, deal 0.55, for 49.445

R11 market sell by funds: what the bound kept back comes back
  symbol priceLimitRate=0.1
  alice buy 1 @ 100
  alice buy 5 @ 80
  bob sell for 300 market             -> done price-protection, deal 1, for 100, back 200

R11 the market order's bound is computed once, before its first trade
  symbol priceLimitRate=0.1
  alice sell 1 @ 100
  alice sell 1 @ 109
  alice sell 1 @ 119
  bob buy 3 market                    -> done price-protection, deal 2, cancelled 1

R11 a market order that fills exactly up to the bound is filled
  symbol priceLimitRate=0.1
  alice sell 1 @ 100
  alice sell 1 @ 120
  bob buy 1 market                    -> done filled, deal 1

R11 a market order whose money has ended is not asked for the bound
  symbol priceLimitRate=0.1
  alice sell 1 @ 100
  alice sell 1 @ 120
  # 100.5 / 1.002 = 100.29..., which leaves less than 0.01 at 120
  bob buy for 100.5 market            -> done filled, deal 1, for 100
  alice sell 0.99 @ 100
  new user dave
  dave deposit 100 USDT
  dave transfer 100 USDT
  dave buy 2 market                   -> done funds-end, deal 0.99, cancelled 1.01

R11 the bound is rounded towards the best price
  symbol priceIncrement=0.0001 priceLimitRate=0.0015
  # 100.1 * 0.0015 = 0.15015, rounded down to 0.1501
  alice sell 1 @ 100.1
  alice sell 1 @ 100.2501
  alice sell 1 @ 100.2502
  bob buy 3 @ 101                     -> done price-protection, deal 0
  bob buy 2 @ 101                     -> done filled, deal 2

R11 a rate of 0 allows the best price only
  symbol priceLimitRate=0
  alice sell 1 @ 100
  alice sell 1 @ 100.1
  bob buy 2 @ 101                     -> done price-protection, deal 0
  bob buy 2 market                    -> done price-protection, deal 1, cancelled 1

R10+R11 a hidden order does not move the bound, and counts for the depth
  symbol priceLimitRate=0.1
  alice sell 1 @ 90 hidden
  alice sell 1 @ 100
  alice sell 1 @ 111
  # from the visible 100, not from 90: 110
  bob buy 3 @ 111                     -> done price-protection, deal 0
  bob buy 2 @ 111                     -> done filled, deal 2, for 190

R10+R11 the slice of an iceberg is visible
  symbol priceLimitRate=0.1
  alice sell 1 @ 80 hidden
  alice sell 5 @ 90 iceberg visible=1
  alice sell 1 @ 100
  bob buy 7 market                    -> done price-protection, deal 6, for 530, cancelled 1

R10+R11 where nothing shows the bound is measured from the last trade
  symbol priceLimitRate=0.1
  alice sell 1 @ 100
  bob buy 1 @ 100                     -> done filled, deal 1
  alice sell 1 @ 105 hidden
  alice sell 1 @ 111 hidden
  bob buy 2 market                    -> done price-protection, deal 1, for 105, cancelled 1
  # from 105 now: 115.5
  bob buy 1 @ 120                     -> done filled, deal 1, for 111
  alice sell 1 @ 130 hidden
  bob buy 1 @ 130                     -> done price-protection, deal 0

R10+R11 before the first trade the bound is measured from the best hidden price
  symbol priceLimitRate=0.1
  alice sell 1 @ 100 hidden
  alice sell 1 @ 111 hidden
  bob buy 2 market                    -> done price-protection, deal 1, for 100, cancelled 1

R10+R11 what an iceberg hides counts for the depth
  symbol priceLimitRate=0.1
  alice sell 5 @ 100 iceberg visible=1
  alice sell 1 @ 111
  bob buy 5.01 @ 111                  -> done price-protection, deal 0
  bob buy 5 @ 111                     -> done filled, deal 5, for 500

R9+R11 where an ordinary order stops a postOnly one, it reaches no further
  symbol priceLimitRate=0.1
  alice sell 1 @ 100 hidden
  alice sell 1 @ 105
  alice sell 1 @ 120 hidden
  bob buy 3 @ 120 postOnly            -> done post-only, deal 1, for 100, cancelled 2

R9+R11 an ordinary order that has traded and left stops a postOnly one no more, though hidden ones rest at its price
  symbol priceLimitRate=0.1
  A: alice sell 2 @ 105
  alice sell 1 @ 105 hidden
  bob buy 1 @ 105                     -> done filled, deal 1
  trade 1 @ 105 buy with A
  alice cancel A
  alice sell 1 @ 100 hidden
  alice sell 1 @ 120 hidden
  bob buy 3 @ 120 postOnly            -> done price-protection, deal 0, cancelled 3

R9+R11 a postOnly order that could fill past the bound is cancelled whole
  symbol priceLimitRate=0.1
  alice sell 1 @ 100 hidden
  alice sell 1 @ 120 hidden
  bob buy 2 @ 120 postOnly            -> done price-protection, deal 0, cancelled 2

R7+R11 where an own order stops a CN or CB order, it reaches no further
  symbol priceLimitRate=0.1
  bob sell 1 @ 100
  A: alice sell 1 @ 105
  bob sell 5 @ 120
  alice buy 3 @ 120 stp=CN            -> done self-trade, deal 1, for 100, cancelled 2
  bob sell 1 @ 100
  alice buy 3 @ 120 stp=CB            -> done self-trade, deal 1, for 100, cancelled 2
  order A done self-trade

R7+R11 with CO own orders are passed over
  symbol priceLimitRate=0.1
  bob sell 1 @ 100
  A: alice sell 5 @ 105
  bob sell 5 @ 120
  alice buy 2 @ 120 stp=CO            -> done price-protection, deal 0, cancelled 2
  order A open remaining 5

R7+R9+R11 with CO an own iceberg ahead of the ordinary order that stops a postOnly one does not count
  symbol priceLimitRate=0.1
  bob sell 1 @ 100 hidden
  alice sell 1 @ 111 iceberg visible=1
  bob sell 1 @ 111
  alice buy 2 @ 120 postOnly stp=CO   -> done post-only, deal 1, for 100, cancelled 1

R7+R11 with CO an own order past the bound is cancelled, not traded with, and does not count
  symbol priceLimitRate=0.1
  bob sell 1 @ 100
  A: alice sell 1 @ 120
  alice buy 2 @ 120 stp=CO            -> open deal 1, for 100, remaining 1
  order A done self-trade

R7+R10+R11 an own hidden order stops a CN order like a visible one
  symbol priceLimitRate=0.1
  bob sell 1 @ 100 hidden
  A: alice sell 1 @ 100 hidden
  carol sell 5 @ 120
  alice buy 3 @ 120 stp=CN            -> done self-trade, deal 1, cancelled 2
  order A open

R7+R11 without stp and with DC own orders count like others
  symbol priceLimitRate=0.1
  bob sell 1 @ 100
  A: alice sell 5 @ 105
  bob sell 5 @ 120
  alice buy 2 @ 120                   -> done filled, deal 2, for 205
  bob sell 1 @ 100
  alice buy 2 @ 120 stp=DC            -> done self-trade, deal 1, cancelled 1
  order A open remaining 3

R7+R10+R11 only the slices ahead of the own order that stops it count
  symbol priceLimitRate=0
  A: bob sell 5 @ 100 iceberg visible=1
  B: alice sell 1 @ 100
  carol sell 5 @ 101
  alice buy 3 @ 101 stp=CN            -> done self-trade, deal 1, cancelled 2
  trade 1 @ 100 buy with A

R7+R11 a market order: the bound is asked before self-trade
  symbol priceLimitRate=0.1
  bob sell 1 @ 100
  A: alice sell 1 @ 120
  alice buy 2 market stp=CO           -> done price-protection, deal 1, cancelled 1
  bob sell 1 @ 100
  alice buy 2 market stp=CN           -> done price-protection, deal 1, cancelled 1
  order A open

R7 a market order: the end of the money is asked before self-trade
  bob sell 1 @ 100
  A: alice sell 1 @ 100
  alice buy for 100.5 market stp=CN   -> done filled, deal 1, for 100
  bob sell 1 @ 99
  alice buy for 99.2 market stp=CO    -> done filled, deal 1, for 99
  order A open

R11 a postOnly order looks past a level whose ordinary orders have gone
  symbol priceLimitRate=0.1
  A: bob sell 1 @ 100
  bob sell 1 @ 100 hidden
  bob sell 1 @ 200 hidden
  bob cancel A
  alice buy 2 @ 200 postOnly          -> done price-protection, deal 0, cancelled 2
`);
