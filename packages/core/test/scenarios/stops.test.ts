import { scenarios } from './runner.ts';

scenarios(`
K a stop order waits outside the book and holds nothing
  S: alice stop loss 95 sell 1 @ 94   -> added
    * stop-placed S
  shows stop S user=alice side=sell type=limit stop=loss stopPrice=95 price=94 size=1 funds=0 clientId=''
  alice BTC 100 + 0 held
  book asks none

K loss triggers when the last price is at or below the stop price
  S: alice stop loss 95 sell 1 @ 94
  carol buy 1 @ 95.1
  bob sell 1 @ 95.1
  C: carol buy 1 @ 95
  B: bob sell 1 @ 95                  -> done filled
    * received B
    * bob BTC -1 held +1 (hold)
    * trade 1 @ 95 sell
    * carol USDT +0.095 held -95.19 (trade)
    * carol BTC +1 (trade)
    * bob BTC held -1 (trade)
    * bob USDT +94.81 (trade)
    * system fees USDT +0.285 (trade)
    * book bid 95: 0
    * done C filled
    * done B filled
    * stop-done S triggered S.order
    * received S.order
    * alice BTC -1 held +1 (hold)
    * opened S.order 1
    * book ask 94: 1
  shows order S.order price=94 size=1 side=sell

K entry triggers when the last price is at or above the stop price
  S: alice stop entry 105 buy 1 @ 106
  bob sell 1 @ 104.9
  carol buy 1 @ 104.9
  book bids none
  bob sell 1 @ 105
  carol buy 1 @ 105
  order S.order open remaining 1
  book bids 106: 1

K a loss passed over by a lower price triggers too
  S: alice stop loss 95 sell 1 @ 94
  carol buy 1 @ 50
  bob sell 1 @ 50
  order S.order open

K before the first trade nothing triggers
  carol buy 1 @ 90
  S: alice stop loss 95 sell 1 @ 94   -> added
    * stop-placed S
  T: alice stop entry 50 sell 1 @ 94  -> added
    * stop-placed T

K a stop whose condition is met already triggers at once
  carol buy 1 @ 95
  bob sell 1 @ 95
  S: alice stop loss 95 sell 1 @ 94   -> added
    * stop-placed S
    * stop-done S triggered S.order
    * received S.order
    * alice BTC -1 held +1 (hold)
    * opened S.order 1
    * book ask 94: 1
  ids S S.order

K a stop that becomes a market order
  S: alice stop entry 105 buy 1 market
  T: alice stop entry 105 buy for 110.3 market
  bob sell 5 @ 110
  carol sell 1 @ 105
  carol buy 1 @ 105                   -> done filled
  order S.order done filled deal 1 for 110
  order T.order done filled deal 1 for 110
  ids S T

K the smallest id that is due goes first, and what it trades is looked at again
  S1: alice stop loss 90 sell 1 @ 80
  S2: bob stop loss 95 sell 1 market
  S3: carol stop loss 95 sell 1 @ 200
  carol buy 1 @ 95
  carol buy 1 @ 90
  alice-sub sell 1 @ 95
  trade 1 @ 95 sell
  trade 1 @ 90 sell
  order S2.order done filled for 90
  ids S2.order S1.order S3.order

K stops are looked at when the whole command is through
  S: bob stop loss 95 sell 1 @ 94
  carol buy 1 @ 95
  carol buy 1 @ 94
  alice batch sell 1 @ 95 ; sell 1 @ 94  -> done filled ; done filled
  order S.order open deal 0

K of several symbols that traded, the one added first is looked at first
  E: bob stop loss 95 sell 1 @ 94 in ETH-USDT
  B: bob stop loss 95 sell 1 @ 94
  carol buy 1 @ 95 in ETH-USDT
  carol buy 1 @ 95
  alice batch sell 1 @ 95 in ETH-USDT ; sell 1 @ 95  -> done filled ; done filled
  ids B.order E.order

K+R5 below minFunds a stop is accepted, and refused when it triggers
  symbol minFunds=10
  S: alice stop loss 95 sell 0.1 @ 94 -> added
  T: alice stop loss 95 sell 0.1 market  -> added
  U: alice stop loss 95 buy for 9 market -> added
  C: carol buy 1 @ 95
  B: bob sell 1 @ 95
    * received B
    * bob BTC -1 held +1 (hold)
    * trade 1 @ 95 sell
    * carol USDT +0.095 held -95.19 (trade)
    * carol BTC +1 (trade)
    * bob BTC held -1 (trade)
    * bob USDT +94.81 (trade)
    * system fees USDT +0.285 (trade)
    * book bid 95: 0
    * done C filled
    * done B filled
    * stop-done S rejected min-funds
    * stop-done T rejected min-funds
    * stop-done U rejected min-funds
  N: alice buy 1 @ 50
  ids B N

K a stop without the money, or over a limit, is refused when it triggers
  limits perSymbol=1
  S: alice stop loss 95 buy 1000 @ 100 -> added
  T: bob stop loss 95 buy 1 @ 50       -> added
  bob buy 1 @ 50
  C: carol buy 1 @ 95
  B: alice-sub sell 1 @ 95
    * received B
    * alice-sub BTC -1 held +1 (hold)
    * trade 1 @ 95 sell
    * carol USDT +0.095 held -95.19 (trade)
    * carol BTC +1 (trade)
    * alice-sub BTC held -1 (trade)
    * alice-sub USDT +94.81 (trade)
    * system fees USDT +0.285 (trade)
    * book bid 95: 0
    * done C filled
    * done B filled
    * stop-done S rejected funds-insufficient
    * stop-done T rejected orders-per-symbol

K a triggered order has all fields of the stop
  S: alice stop loss 95 sell 2 @ 94 GTT after=5 iceberg visible=1 stp=CO id=mine tags=bot remark=r
  carol buy 1 @ 95
  bob sell 1 @ 95
  shows order S.order timeInForce=GTT cancelAfterSec=5 iceberg=true visibleSize=1 stp=CO
  shows order S.order clientId=mine tags=bot remark=r
  alice cancel id=mine                -> done requested
  order S.order done requested

K a triggered GTT order lives from its trigger on
  S: alice stop loss 95 sell 1 @ 94 GTT after=5
  time +60s
    * none
  carol buy 1 @ 95
  bob sell 1 @ 95
  time +4999ms
  order S.order open
  time +1ms
  order S.order done expired

K a stop is cancelled by id or clientId, its money was never held
  S: alice stop loss 95 sell 1 @ 94
  T: alice stop loss 95 sell 1 @ 94 id=mine
  alice cancel-stop S                 -> accepted
    * stop-done S requested
  alice cancel-stop id=mine           -> accepted
    * stop-done T requested
  carol buy 1 @ 95
  bob sell 1 @ 95
  book asks none

K only the user's own waiting stop can be cancelled
  S: alice stop loss 95 sell 1 @ 94
  A: alice buy 1 @ 80
  bob cancel-stop S                   -> rejected order-unknown order=S
  alice cancel-stop S in ETH-USDT     -> rejected order-unknown order=S
  alice cancel-stop A                 -> rejected order-unknown order=A
  alice cancel S                      -> rejected order-unknown order=S
  alice cancel-stop nothing           -> rejected field-missing field=order
  alice cancel-stop S                 -> accepted
  alice cancel-stop S                 -> rejected order-unknown order=S

K a stop that has triggered can be cancelled as the order it became
  S: alice stop loss 95 sell 1 @ 94
  carol buy 1 @ 95
  bob sell 1 @ 95
  alice cancel-stop S                 -> rejected order-unknown order=S
  alice cancel S.order                -> done requested

K a stop order is checked like an order when it is placed
  alice stop middle 95 sell 1 @ 94    -> rejected value-invalid field=stop value=middle
  alice stop middle 95 sell limit     -> rejected value-invalid field=stop value=middle
  alice stop middle 95 sell 1 stp=XX  -> rejected value-invalid field=stp value=XX
  alice stop loss 95.05 sell 1 @ 94   -> rejected price-increment value=95.05 below=95 above=95.1
  alice stop loss 0 sell 1 @ 94       -> rejected price-increment value=0
  alice stop loss 112589990684.3 sell 1 @ 94  -> rejected price-above-max value=112589990684.3
  alice stop loss 95 sell 1 @ 94.05   -> rejected price-increment value=94.05
  alice stop loss 95 sell 1.005 @ 94  -> rejected size-increment
  alice stop loss 95 sell 10000.01 @ 94  -> rejected size-above-max max=10000
  alice stop loss 95 sell 10 @ 94 iceberg visible=0.1  -> rejected visible-size
  alice stop loss 95 buy for 0.05 market  -> rejected funds-below-min
  alice stop loss 95 sell market      -> rejected field-missing field=size
  alice stop loss 95 sell 1 limit     -> rejected field-missing field=price
  alice stop loss 95 sell 1 @ 94 GTT  -> rejected field-missing field=cancelAfterSec
  alice stop loss 95 sell 1 market stp=DC  -> rejected field-not-allowed field=stp
  alice stop loss 95 sell 1 @ 94 id=a!     -> rejected text-invalid field=clientId
  #9 stop loss 95 sell 1 @ 94         -> rejected user-unknown
  alice stop loss 95 sell 1 @ 94 in #7  -> rejected symbol-unknown
  state cancel-only
  alice stop loss 95.05 sell 1 @ 94   -> rejected market-closed state=cancel-only

K stops of other symbols are not touched
  S: alice stop loss 95 sell 1 @ 94 in ETH-USDT
  carol buy 1 @ 95
  bob sell 1 @ 95
  carol buy 1 @ 95 in ETH-USDT
  bob sell 1 @ 95 in ETH-USDT
  order S.order open
  book asks in ETH-USDT 94: 1
  book asks none
`);
