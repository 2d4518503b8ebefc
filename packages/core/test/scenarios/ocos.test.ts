/** OCO orders: a limit order and a stop order, of which one cancels the other. */

import { scenarios } from './runner.ts';

scenarios(`
P an OCO order is a limit order in the book and a stop order that waits; it holds what the limit order holds
  O: alice oco 95/94 sell 2 @ 110 id=pair tags=t  -> added
    * oco-placed O
    * stop-placed O.stop
    * received O.limit
    * alice BTC -2 held +2 (hold)
    * opened O.limit 2
    * book ask 110: 2
  ids O O.stop O.limit
  shows oco O side=sell price=110 size=2 stopPrice=95 limitPrice=94 clientId=pair order=O.limit stopOrder=O.stop
  shows stop O.stop stop=loss stopPrice=95 price=94 size=2 clientId=''
  shows order O.limit price=110 size=2 timeInForce=GTC clientId='' tags=t
  alice BTC 98 + 2 held

P of a buy the stop order waits above
  O: alice oco 105/106 buy 1 @ 90     -> added
  shows stop O.stop stop=entry stopPrice=105 price=106
  alice USDT 9909.82 + 90.18 held

P when the limit order is filled, the stop order is gone
  O: alice oco 95/94 sell 1 @ 110
  bob buy 1 @ 110                     -> done filled
  order O.limit done filled
  alice cancel-stop O.stop            -> rejected order-unknown
  alice cancel-oco O                  -> rejected order-unknown order=O
  bob buy 1 @ 95
  carol sell 1 @ 95
  alice BTC 99 + 0 held

P the first fill ends the pair, what is left of the limit order lives on alone
  O: alice oco 95/94 sell 2 @ 110
  B: bob buy 1 @ 110
    * received B
    * bob USDT -110.22 held +110.22 (hold)
    * trade 1 @ 110 buy
    * bob USDT held -110.22 (trade)
    * bob BTC +1 (trade)
    * alice BTC held -1 (trade)
    * alice USDT +109.89 (trade)
    * system fees USDT +0.33 (trade)
    * book ask 110: 1
    * done B filled
    * oco-done O traded
    * stop-done O.stop oco
  order O.limit open remaining 1
  bob buy 0.5 @ 110
  order O.limit open remaining 0.5
  alice cancel O.limit                -> done requested
    * book ask 110: 0
    * alice BTC +0.5 held -0.5 (release)
    * done O.limit requested

P when the stop order triggers, the limit order is cancelled first and its money is free again
  alice transfer 10 BTC
  alice sell 108 @ 200
  O: alice oco 95/94 sell 2 @ 110
  alice BTC 0 + 110 held
  X: bob buy 1 @ 95
  Y: bob buy 2 @ 94
  Z: carol sell 1 @ 95
    * received Z
    * carol BTC -1 held +1 (hold)
    * trade 1 @ 95 sell
    * bob USDT +0.095 held -95.19 (trade)
    * bob BTC +1 (trade)
    * carol BTC held -1 (trade)
    * carol USDT +94.81 (trade)
    * system fees USDT +0.285 (trade)
    * book bid 95: 0
    * done X filled
    * done Z filled
    * book ask 110: 0
    * alice BTC +2 held -2 (release)
    * done O.limit oco
    * oco-done O triggered
    * stop-done O.stop triggered O.stop.order
    * received O.stop.order
    * alice BTC -2 held +2 (hold)
    * trade 2 @ 94 sell
    * bob USDT +0.188 held -188.376 (trade)
    * bob BTC +2 (trade)
    * alice BTC held -2 (trade)
    * alice USDT +187.624 (trade)
    * system fees USDT +0.564 (trade)
    * book bid 94: 0
    * done Y filled
    * done O.stop.order filled
  alice BTC 0 + 108 held

P if the triggered order is refused, both are gone
  alice transfer 1000 USDT from=trade to=main
  O: alice oco 105/200 buy 50 @ 90    -> added
  bob sell 1 @ 105
  carol buy 1 @ 105
  order O.limit done oco
  alice cancel-oco O                  -> rejected order-unknown
  alice cancel-stop O.stop            -> rejected order-unknown
  alice USDT 9000 + 0 held

P a limit order that trades at once leaves no stop order
  bob buy 1 @ 112
  O: alice oco 95/94 sell 1 @ 110     -> added
  trade 1 @ 112 sell
  order O.limit done filled
  alice cancel-stop O.stop            -> rejected order-unknown

P a stop order that is due at once takes the place of the limit order
  bob sell 1 @ 100
  carol buy 1 @ 100
  O: alice oco 100/90 sell 1 @ 110    -> added
    * oco-placed O
    * stop-placed O.stop
    * received O.limit
    * alice BTC -1 held +1 (hold)
    * opened O.limit 1
    * book ask 110: 1
    * book ask 110: 0
    * alice BTC +1 held -1 (release)
    * done O.limit oco
    * oco-done O triggered
    * stop-done O.stop triggered O.stop.order
    * received O.stop.order
    * alice BTC -1 held +1 (hold)
    * opened O.stop.order 1
    * book ask 90: 1

P cancelling cancels both
  O: alice oco 95/94 sell 1 @ 110 id=pair
  bob cancel-oco O                    -> rejected order-unknown order=O
  alice cancel-oco O in ETH-USDT      -> rejected order-unknown
  alice cancel-oco O                  -> cancelled O.stop O.limit
    * book ask 110: 0
    * alice BTC +1 held -1 (release)
    * done O.limit requested
    * oco-done O cancelled
    * stop-done O.stop requested
  alice cancel-oco O                  -> rejected order-unknown

P it is cancelled by the client's id, which is the pair's alone
  O: alice oco 95/94 sell 1 @ 110 id=pair
  alice cancel id=pair                -> rejected order-unknown clientId=pair
  alice cancel-stop id=pair           -> rejected order-unknown clientId=pair
  alice buy 1 @ 90 id=pair            -> rejected client-id-used clientId=pair order=O
  alice cancel-oco nothing            -> rejected field-missing field=order
  alice cancel-oco id=pair            -> cancelled O.stop O.limit
  alice oco 95/94 sell 1 @ 110 id=pair  -> rejected client-id-used clientId=pair order=O
  time +259199999ms
  alice oco 95/94 sell 1 @ 110 id=pair  -> rejected client-id-used
  time +1ms
  alice oco 95/94 sell 1 @ 110 id=pair  -> added

P ending one part by itself ends the other
  A: alice oco 95/94 sell 1 @ 110
  alice cancel-stop A.stop            -> accepted
    * book ask 110: 0
    * alice BTC +1 held -1 (release)
    * done A.limit oco
    * oco-done A cancelled
    * stop-done A.stop requested
  B: alice oco 95/94 sell 1 @ 110
  alice cancel B.limit                -> done requested
    * book ask 110: 0
    * alice BTC +1 held -1 (release)
    * done B.limit requested
    * oco-done B cancelled
    * stop-done B.stop oco

P all that ends limit orders ends pairs, in the order of their ids
  A: alice oco 95/94 sell 1 @ 110
  B: alice oco 96/95 sell 1 @ 111
  alice cancel all                    -> cancelled A.limit B.limit
    * book ask 110: 0
    * alice BTC +1 held -1 (release)
    * done A.limit requested
    * book ask 111: 0
    * alice BTC +1 held -1 (release)
    * done B.limit requested
    * oco-done A cancelled
    * stop-done A.stop oco
    * oco-done B cancelled
    * stop-done B.stop oco
  alice switch 5
  C: alice oco 95/94 sell 1 @ 110
  time +5s
    * switch alice off
    * book ask 110: 0
    * alice BTC +1 held -1 (release)
    * done C.limit switch
    * oco-done C cancelled
    * stop-done C.stop oco

P an altered limit order is an order like others
  O: alice oco 95/94 sell 1 @ 110
  N: alice alter O.limit price=111    -> altered open
  order O.limit done altered
  alice cancel-oco O                  -> rejected order-unknown
  bob buy 1 @ 95
  carol sell 1 @ 95
  order N open remaining 1

P a reduced limit order stays in its pair, the stop order keeps its size
  O: alice oco 95/94 sell 2 @ 110
  alice reduce O.limit by 1           -> open remaining 1
  bob buy 1 @ 95
  carol sell 1 @ 95
  order O.limit done oco
  order O.stop.order open remaining 2

P one trade ends a pair before its price can trigger others
  O: alice oco 95/94 sell 1 @ 110
  S: carol stop entry 110 buy 1 @ 112
  bob buy 1 @ 110                     -> done filled
  order O.limit done filled
  order S.order open remaining 1

P a pair whose limit order meets a triggered order is over, though its stop order was due as well
  S: carol stop loss 95 buy 1 @ 112
  O: alice oco 95/94 sell 1 @ 110
  bob buy 1 @ 95
  carol sell 1 @ 95                   -> done filled
  order S.order done filled
  order O.limit done filled
  bob buy 1 @ 95
  carol sell 1 @ 95                   -> done filled
  alice BTC 99 + 0 held

P what is checked
  #9 oco 95/94 sell 1 @ 110           -> rejected user-unknown
  alice oco 95/94 sell 1 @ 110 in #7  -> rejected symbol-unknown
  alice oco 95/94 sell 1 @ 110 id=a.b tags=é  -> rejected text-invalid field=clientId
  alice oco 95/94 sell 1 @ 110 tags=é -> rejected text-invalid field=tags
  alice oco 111/94 sell 1 @ 110 side=up  -> rejected value-invalid field=side
  alice oco 110/94 sell 1 @ 110       -> rejected value-invalid field=stopPrice
  alice oco 110/94 buy 1 @ 110        -> rejected value-invalid field=stopPrice
  alice oco 109/94 buy 1 @ 110        -> rejected value-invalid field=stopPrice
  alice oco 95/94 sell 1 @ 110.05     -> rejected price-increment value=110.05
  alice oco 95.05/94 sell 1 @ 110     -> rejected price-increment value=95.05
  alice oco 95/94.05 sell 1 @ 110     -> rejected price-increment value=94.05
  alice oco 95/94.05 sell 1 @ 112589990684.3  -> rejected price-increment value=94.05
  alice oco 95/112589990684.3 sell 1.005 @ 110  -> rejected price-above-max
  alice oco 95/94 sell 1.005 @ 110    -> rejected size-increment
  alice oco 95/94 sell 101 @ 110      -> rejected funds-insufficient need=101 available=100
  symbol minFunds=100
  alice oco 95/94 sell 1 @ 99         -> rejected min-funds value=99 min=100
  alice oco 95/94 sell 1 @ 100        -> added
  state cancel-only
  alice oco 95.05/94 sell 1 @ 110     -> rejected market-closed
  alice oco 110/94 sell 1 @ 110       -> rejected value-invalid
  user alice frozen=yes
  alice oco 95/94 sell 1 @ 110        -> rejected user-frozen

P each part counts where it belongs
  limits perSymbol=1 stops=1
  O: alice oco 95/94 sell 1 @ 110     -> added
  alice oco 95/94 sell 1 @ 110        -> rejected orders-per-symbol max=1
  limits perSymbol=9
  alice oco 95/94 sell 101 @ 110      -> rejected stop-orders-per-symbol max=1
  alice stop loss 95 sell 1 @ 94      -> rejected stop-orders-per-symbol max=1
  alice sell 1 @ 110                  -> open
  limits perUser=2
  alice oco 95/94 sell 1 @ 110 in ETH-USDT  -> rejected orders-per-user max=2
  alice cancel-oco O
  alice oco 95/94 sell 1 @ 110        -> added

P a halted market cancels no pair, and triggers none until it opens
  O: alice oco 95/94 sell 1 @ 110
  state halted
  alice cancel-oco O                  -> rejected market-closed state=halted
  state cancel-only
  alice cancel-oco O                  -> cancelled O.stop O.limit

P a frozen user's pair: cancelled as always, and gone without an order when its stop triggers
  A: alice oco 95/94 sell 1 @ 110
  B: alice oco 95/94 sell 1 @ 111
  user alice frozen=yes
  alice cancel-oco A                  -> cancelled A.stop A.limit
  bob buy 1 @ 95
  carol sell 1 @ 95
  order B.limit done oco
  alice BTC 100 + 0 held
`);
