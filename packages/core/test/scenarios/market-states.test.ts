import { scenarios } from './runner.ts';

scenarios(`
H post-only takes orders that rest without trading, and refuses all others
  alice sell 5 @ 100
  state post-only
    * symbol BTC-USDT post-only
  B: bob buy 1 @ 99                   -> open
  bob buy 1 @ 100                     -> rejected would-trade symbol=BTC-USDT price=100
    * none
  bob buy 1 @ 100 postOnly            -> rejected would-trade price=100
  bob buy 1 @ 99 postOnly             -> open
  bob buy 1 @ 99 GTT after=60         -> open
  bob buy 1 @ 98 hidden               -> open
  bob buy 10 @ 98 iceberg visible=1   -> open
  bob buy 1 market                    -> rejected order-kind symbol=BTC-USDT state=post-only kind=market
  bob buy for 100 market              -> rejected order-kind kind=market
  bob buy 1 @ 100 IOC                 -> rejected order-kind kind=IOC
  bob buy 1 @ 90 FOK                  -> rejected order-kind kind=FOK
  bob test buy 1 @ 100                -> rejected would-trade
  bob test buy 1 @ 99                 -> accepted
  bob alter B price=100               -> rejected would-trade
  bob alter B price=98.5              -> altered open
  book asks 100: 5
  no trade

H in post-only hidden orders count too, so that nothing trades
  alice sell 5 @ 100 hidden
  state post-only
  bob buy 1 @ 100 postOnly            -> rejected would-trade price=100

H in post-only stop and OCO orders wait, and trigger when the market opens
  A: alice sell 5 @ 100
  bob buy 1 @ 100                     -> done filled
  state post-only
  S: bob stop entry 100 buy 1 @ 100
  bob oco 120/121 buy 1 @ 100         -> rejected would-trade
  O: carol oco 120/121 buy 1 @ 90
  alice cancel A                      -> done requested
  state open
    * symbol BTC-USDT open
    * stop-done S triggered S.order
    * received S.order
    * bob USDT -100.2 held +100.2 (hold)
    * opened S.order 1
    * book bid 100: 1

H cancel-only takes cancels and reductions only
  A: alice sell 5 @ 100
  state cancel-only
  alice reduce A by 1                 -> open remaining 4
  alice alter A price=101             -> rejected market-closed state=cancel-only
  bob buy 1 @ 90                      -> rejected market-closed state=cancel-only
  bob stop entry 110 buy 1 @ 100      -> rejected market-closed state=cancel-only
  bob oco 120/121 buy 1 @ 90          -> rejected market-closed state=cancel-only
  alice cancel A                      -> done requested

H halted takes nothing
  A: alice sell 5 @ 100
  S: alice stop loss 50 sell 1 @ 50
  state halted
  bob buy 1 @ 90                      -> rejected market-closed state=halted
  alice cancel A                      -> rejected market-closed state=halted
  alice cancel-stop S                 -> rejected market-closed state=halted
  alice reduce A by 1                 -> rejected market-closed state=halted
  alice cancel all                    -> cancelled

H a market that is switched off by its terms takes no orders in any state
  state post-only
  symbol enableTrading=no
  alice buy 1 @ 90                    -> rejected market-closed state=halted
  auction 5s
  alice buy 1 @ 90                    -> rejected market-closed state=halted

H delisting cancels stop orders with their pairs, then buys, then sells
  A: alice sell 5 @ 100
  B: bob buy 1 @ 90
  C: bob buy 1 @ 95 hidden
  S: carol stop entry 120 buy 1 @ 121
  O: carol oco 120/121 buy 1 @ 80
  state delisted
    * symbol BTC-USDT delisted
    * stop-done S delisted
    * book bid 80: 0
    * carol USDT +80.16 held -80.16 (release)
    * done O.limit oco
    * oco-done O cancelled
    * stop-done O.stop delisted
    * bob USDT +95.19 held -95.19 (release)
    * done C delisted
    * book bid 90: 0
    * bob USDT +90.18 held -90.18 (release)
    * done B delisted
    * book ask 100: 0
    * alice BTC +5 held -5 (release)
    * done A delisted
  alice buy 1 @ 90                    -> rejected market-closed state=delisted
  alice cancel A                      -> rejected order-unknown
  auction 5s                          -> rejected market-closed state=delisted
  state open                          -> accepted
  alice buy 1 @ 90                    -> open

H delisting is cut into records, and the symbol waits
  limits steps=8
  A: alice sell 5 @ 100
  B: bob sell 5 @ 101
  C: carol sell 5 @ 102
  state delisted
    * symbol BTC-USDT delisted
    * book ask 100: 0
    * alice BTC +5 held -5 (release)
    * done A delisted
    * book ask 101: 0
    * bob BTC +5 held -5 (release)
    * done B delisted
  time +1ms
    * book ask 102: 0
    * carol BTC +5 held -5 (release)
    * done C delisted

H a pause stops every market, and what comes by itself goes on
  A: alice sell 5 @ 100 GTT after=5
  B: bob sell 5 @ 101
  pause
    * paused
  pause                               -> rejected paused-already
  bob cancel B                        -> rejected market-closed state=paused
  bob buy 1 @ 90                      -> rejected market-closed state=paused
  bob buy 1 @ 90 in ETH-USDT          -> rejected market-closed state=paused
  bob cancel all                      -> cancelled
  time +5s
    * book ask 100: 0
    * alice BTC +5 held -5 (release)
    * done A expired
  resume
    * resumed
  resume                              -> rejected not-paused
  bob cancel B                        -> done requested

H states change while an exchange is paused, and count when it is resumed
  pause
  state cancel-only
  resume
  bob buy 1 @ 90                      -> rejected market-closed state=cancel-only

H the state auction has a command of its own
  state auction                       -> rejected value-invalid field=state
  auction 5s
  state open                          -> rejected in-auction symbol=BTC-USDT
  auction 5s                          -> rejected in-auction symbol=BTC-USDT
  auction cancel in ETH-USDT          -> rejected no-auction symbol=ETH-USDT
`);
