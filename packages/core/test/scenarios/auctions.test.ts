import { scenarios } from './runner.ts';

// A1 the call, A2 the price, A3 who trades, A4 fees, A5 the band, A6 the end, A7 records.
scenarios(`
A1 orders are collected without matching
  auction 5s
    * auction BTC-USDT then open
    * symbol BTC-USDT auction
  A: alice sell 5 @ 100               -> open
  B: bob buy 5 @ 110                  -> open
  no trade
  book asks 100: 5
  book bids 110: 5
  time +4999ms
    * none

A1 limit orders only
  auction 5s
  bob buy 1 market                    -> rejected order-kind state=auction kind=market
  bob buy 1 @ 100 IOC                 -> rejected order-kind kind=IOC
  bob buy 1 @ 100 FOK                 -> rejected order-kind kind=FOK
  bob stop entry 110 buy 1 @ 100      -> rejected order-kind kind=stop
  bob oco 120/121 buy 1 @ 100         -> rejected order-kind kind=oco
  bob test buy 1 market               -> rejected order-kind kind=market
  A: bob buy 1 @ 100 postOnly         -> open
  bob buy 1 @ 100 GTT after=60        -> open
  bob buy 1 @ 100 hidden              -> open
  bob buy 10 @ 90 iceberg visible=1   -> open
  bob reduce A by 0.5                 -> open remaining 0.5
  bob alter A price=101               -> altered open
  book bids 101: 0.5, 100: 1, 90: 1

A1 own crosses are refused, whatever stp says; a sub-account is another user
  auction 5s
  A: alice sell 5 @ 100
  alice buy 1 @ 100                   -> rejected own-cross order=A price=100
  alice buy 1 @ 101 stp=CO            -> rejected own-cross order=A
  alice test buy 1 @ 101              -> rejected own-cross order=A
  B: alice buy 1 @ 99                 -> open
  alice alter B price=100             -> rejected own-cross order=A
  alice-sub buy 1 @ 100               -> open

A1 orders that rested before take part
  A: alice sell 5 @ 100
  auction 5s
  B: bob buy 5 @ 100
  time +5s
  trade 5 @ 100 buy with A
  order A done filled

A1 orders expire during the call
  auction 10s
  A: alice sell 5 @ 100 GTT after=5
  bob buy 5 @ 100
  time +5s
    * book ask 100: 0
    * alice BTC +5 held -5 (release)
    * done A expired

A2 step 1: most volume
  auction 5s
  A: alice sell 3 @ 100
  B: alice sell 4 @ 101
  C: bob buy 2 @ 102
  D: bob buy 4 @ 101
  time +5s
  trade 2 @ 101 buy with A
  trade 1 @ 101 buy with A
  trade 3 @ 101 buy with B
  book asks 101: 1
  book bids none

A2 step 2: of those the least surplus, step 4: without a reference the middle, rounded up
  auction 5s
  A: alice sell 5 @ 100
  bob buy 5 @ 102
  carol buy 2 @ 101
  time +5s
  trade 5 @ 101.6 buy with A

A2 step 3: a surplus of buys takes the highest price
  auction 5s
  A: alice sell 5 @ 100
  bob buy 8 @ 103
  time +5s
  trade 5 @ 103 buy with A
  book bids 103: 3

A2 step 3: a surplus of sells takes the lowest price
  auction 5s reference=103
  A: alice sell 8 @ 100
  bob buy 5 @ 103
  time +5s
  trade 5 @ 100 buy with A
  book asks 100: 3

A2 step 4: the reference is clamped into the prices that are left
  auction 5s reference=90
  A: alice sell 5 @ 100
  bob buy 5 @ 102
  carol buy 2 @ 101
  time +5s
  trade 5 @ 101.1 buy with A

A2 step 4: the last trade comes before the reference that was given
  A: alice sell 1 @ 101.4
  bob buy 1 @ 101.4
  auction 5s reference=90
  B: alice sell 5 @ 100
  bob buy 5 @ 102
  carol buy 2 @ 101
  time +5s
  trade 5 @ 101.4 buy with B

A2 step 4: where the surplus changes sides, the nearer of the two prices
  auction 5s reference=99
  A: alice sell 5 @ 100
  B: alice sell 3 @ 100.1
  bob buy 5 @ 100.1
  carol buy 3 @ 100
  time +5s
  trade 5 @ 100 buy with A
  book bids 100: 3
  book asks 100.1: 3

A2 step 4: where the surplus changes sides, the middle is the higher of the two
  auction 5s
  A: alice sell 5 @ 100
  B: alice sell 3 @ 100.1
  bob buy 5 @ 100.1
  carol buy 3 @ 100
  time +5s
  trade 5 @ 100.1 buy with A

A2 candidates are multiples of the price increment, whatever the limits are
  A: alice sell 5 @ 100.3
  symbol priceIncrement=1
  auction 5s
  bob buy 5 @ 101
  time +5s
  trade 5 @ 101 buy with A

A3 better prices fill completely; at the price time decides, hidden or not
  auction 5s
  A: alice sell 2 @ 100 hidden
  B: bob sell 2 @ 100
  D: bob sell 1 @ 99
  C: carol buy 4 @ 100
  time +5s
  trade 1 @ 100 buy with D
  trade 2 @ 100 buy with A
  trade 1 @ 100 buy with B
  order B open remaining 1
  book asks 100: 1

A3 an iceberg trades with all of its size, keeps its place and shows a slice of what remains
  auction 5s
  I: alice sell 10 @ 100 iceberg visible=1
  B: bob sell 1 @ 100
  carol buy 8 @ 100
  time +5s
  trade 8 @ 100 buy with I
  order I open remaining 2
  book asks 100: 2

A3 of two that meet the later one is incoming
  auction 5s
  A: bob buy 5 @ 100
  B: alice sell 5 @ 100
  time +5s
  trade 5 @ 100 sell with A

A3 the limit part of an OCO order trades, and its stop order is gone
  O: alice oco 95/94 sell 5 @ 100
  auction 5s
  B: bob buy 5 @ 100
  time +5s
    * trade 5 @ 100 buy
    * bob USDT +0.5 held -501 (trade)
    * bob BTC +5 (trade)
    * alice BTC held -5 (trade)
    * alice USDT +499.5 (trade)
    * system fees USDT +1 (trade)
    * book ask 100: 0
    * book bid 100: 0
    * done O.limit filled
    * done B filled
    * auction-ended BTC-USDT traded 5 @ 100
    * symbol BTC-USDT open
    * oco-done O traded
    * stop-done O.stop oco

A4 both pay the maker fee, and a better price comes back
  auction 5s
  A: alice sell 5 @ 100 hidden
  B: bob buy 5 @ 110
  time +5s
  trade 5 @ 105 buy with A, fees 0.525/0.525, rates maker/maker, liquidity maker/maker
  bob USDT 9474.475 + 0 held  BTC 105 + 0 held
  alice USDT 10524.475 + 0 held  BTC 95 + 0 held
  system fees USDT 1.05

A5 outside the band the call is extended once, then ends without a trade
  alice sell 1 @ 100
  bob buy 1 @ 100
  auction 5s band=0.01
  A: alice sell 5 @ 105
  B: bob buy 5 @ 110
  time +5s
    * auction BTC-USDT extended then open
  time +4999ms
    * none
  time +1ms
    * auction-ended BTC-USDT outside-band
    * symbol BTC-USDT halted
  order A open remaining 5
  order B open remaining 5

A5 at the edge of the band it trades
  alice sell 1 @ 100
  bob buy 1 @ 100
  auction 5s band=0.05
  A: alice sell 5 @ 105
  bob buy 5 @ 110
  time +5s
  trade 5 @ 105 buy with A

A5 the extension may bring the price back into the band
  alice sell 1 @ 100
  bob buy 1 @ 100
  auction 5s band=0.01
  alice sell 5 @ 105
  B: bob buy 5 @ 110
  time +5s
  C: carol sell 5 @ 101
  time +5s
  trade 5 @ 101 sell with B

A6 without a cross the book opens as it is
  auction 5s
  A: alice sell 5 @ 101
  B: bob buy 5 @ 100
  time +5s
    * auction-ended BTC-USDT no-cross
    * symbol BTC-USDT open
  carol buy 1 @ 101                   -> done filled

A6 one side only is no cross
  auction 5s then=post-only
  bob buy 5 @ 100
  time +5s
    * auction-ended BTC-USDT no-cross
    * symbol BTC-USDT post-only

A6 the state after it
  auction 5s then=cancel-only
  A: alice sell 5 @ 100
  bob buy 5 @ 100
  time +5s
  trade 5 @ 100 buy with A
  carol buy 1 @ 90                    -> rejected market-closed state=cancel-only

A6 a cancelled auction leaves the market halted with its orders, which open by another auction only
  auction 5s
  A: alice sell 5 @ 100
  B: bob buy 5 @ 110
  auction cancel
    * auction-ended BTC-USDT cancelled
    * symbol BTC-USDT halted
  time +5s
    * none
  state open                          -> rejected book-crossed symbol=BTC-USDT
  state post-only                     -> rejected book-crossed symbol=BTC-USDT
  auction 5s
  time +5s
  trade 5 @ 105 buy with A

A6 a crossed book opens when its orders are cancelled
  auction 5s
  A: alice sell 5 @ 100
  bob buy 5 @ 110
  auction cancel
  state cancel-only
  alice cancel A
  state open                          -> accepted

A6 stop orders trigger by the auction price, when the market is open
  S: carol stop entry 100 buy 1 @ 90
  auction 5s
  A: alice sell 5 @ 100
  bob buy 5 @ 100
  time +5s
  trade 5 @ 100 buy with A
  order S.order open remaining 1

A6 limits off the increment that still cross leave the market halted
  alice sell 5 @ 100.3
  symbol priceIncrement=0.5
  auction 5s
  symbol priceIncrement=0.1
  bob buy 5 @ 100.4
  symbol priceIncrement=0.5
  time +5s
    * auction-ended BTC-USDT no-cross
    * symbol BTC-USDT halted

A6 an auction that ends during a pause waits for the end of it
  auction 5s
  A: alice sell 5 @ 100
  bob buy 5 @ 100
  pause
  time +5s
    * none
  resume
    * resumed
  time +1ms
  trade 5 @ 100 buy with A

A7 an uncross is cut into records, and half of a record is for its commands
  limits steps=8
  auction 5s
  A: alice sell 1 @ 100
  B: alice sell 1 @ 100
  C: alice sell 1 @ 100
  bob buy 3 @ 100
  time +5s
  trade 1 @ 100 buy with A
  time +1ms
  trade 1 @ 100 buy with B
  trade 1 @ 100 buy with C
  time +1ms
    * none

A1 what an auction is asked with
  auction #0                          -> rejected value-invalid field=endsInMs
  auction #604800001                  -> rejected value-invalid field=endsInMs
  auction 5s band=x                   -> rejected value-invalid field=band
  auction 5s band=1000.1              -> rejected value-invalid field=band
  auction 5s then=auction             -> rejected value-invalid field=thenState
  auction 5s then=delisted            -> rejected value-invalid field=thenState
  auction 5s reference=100.05         -> rejected price-increment
  auction cancel                      -> rejected no-auction symbol=BTC-USDT
`);
