import { scenarios } from './runner.ts';

scenarios(`
S5 only the user's own order in its own symbol can be cancelled
  A: alice buy 1 @ 100 id=mine
  bob cancel A                        -> rejected order-unknown order=A
  alice-sub cancel A                  -> rejected order-unknown order=A
  bob cancel id=mine                  -> rejected order-unknown order=none clientId=mine
  alice cancel A in ETH-USDT          -> rejected order-unknown order=A
  alice cancel id=mine in ETH-USDT    -> rejected order-unknown clientId=mine
  alice cancel #999999                -> rejected order-unknown order=#999999
  #9 cancel A                         -> rejected user-unknown user=#9
  alice cancel A in #7                -> rejected symbol-unknown symbol=#7
  order A open

S5 an order is named by exactly one of id and clientId
  A: alice buy 1 @ 100 id=mine
  alice cancel nothing                -> rejected field-missing field=order
  alice cancel A id=mine              -> rejected field-missing field=order
  alice cancel id=''                  -> rejected field-missing field=order
  order A open
  alice cancel A id=''                -> done requested

S5 all orders of one symbol
  A: alice sell 1 @ 101
  B: alice buy 1 @ 99 in ETH-USDT
  C: alice buy 1 @ 99
  D: bob buy 1 @ 98
  alice cancel all in BTC-USDT        -> cancelled A C
    * book ask 101: 0
    * alice BTC +1 held -1 (release)
    * done A requested
    * book bid 99: 0
    * alice USDT +99.198 held -99.198 (release)
    * done C requested
  order B open
  order D open
  alice cancel all in BTC-USDT        -> cancelled
    * none

S5 all orders of all symbols: symbol by symbol, ids ascending
  A: alice buy 1 @ 99 in ETH-USDT
  B: alice buy 1 @ 99
  C: alice sell 1 @ 101 hidden
  alice cancel all                    -> cancelled B C A
  alice cancel all                    -> cancelled
  #9 cancel all                       -> rejected user-unknown
  alice cancel all in #7              -> rejected symbol-unknown

S5 a halted market refuses, and is passed over when all are meant
  A: alice buy 1 @ 99
  B: alice buy 1 @ 99 in ETH-USDT
  state halted
  alice cancel A                      -> rejected market-closed symbol=BTC-USDT state=halted
  alice cancel all in BTC-USDT        -> rejected market-closed symbol=BTC-USDT state=halted
  alice reduce A by 0.5               -> rejected market-closed state=halted
  alice alter A price=98              -> rejected market-closed state=halted
  alice alter A                       -> rejected field-missing field=newPrice
  alice cancel all                    -> cancelled B
  order A open

S5 cancel-only and enableTrading=false let orders be cancelled and reduced, not altered
  A: alice buy 2 @ 99
  state cancel-only
  alice reduce A by 1                 -> open remaining 1
  alice alter A price=98              -> rejected market-closed state=cancel-only
  alice buy 1 @ 99                    -> rejected market-closed symbol=BTC-USDT state=cancel-only
  alice cancel A                      -> done requested
  state open
  B: alice buy 2 @ 99
  symbol enableTrading=false
  alice buy 1 @ 99                    -> rejected market-closed symbol=BTC-USDT state=halted
  alice reduce B by 1                 -> open remaining 1
  alice cancel B                      -> done requested

S5 part of an order is cancelled, the rest keeps its place
  A: alice sell 5 @ 100
  B: carol sell 5 @ 100
  alice reduce A by 2                 -> open remaining 3, cancelled 2, size 5
    * book ask 100: 8
    * alice BTC +2 held -2 (release)
    * reduced A by 2 to 3 requested
  bob buy 1 @ 100
  trade 1 @ 100 buy with A
  alice reduce A by 2                 -> done requested, deal 1, cancelled 4
    * book ask 100: 5
    * alice BTC +2 held -2 (release)
    * done A requested

S5 reducing a buy releases the money and the fee on it
  A: alice buy 5 @ 100 id=mine
  alice reduce id=mine by 2           -> open remaining 3
    * book bid 100: 3
    * alice USDT +200.4 held -200.4 (release)
    * reduced A by 2 to 3 requested
  order A open holds 300.6

S5 reducing takes a multiple of baseIncrement, at most what remains
  A: alice sell 5 @ 100
  bob buy 2 @ 100
  alice reduce A by 3.01              -> rejected size-above-max value=3.01 max=3
  alice reduce A by 1.005             -> rejected size-increment increment=0.01 below=1 above=1.01
  alice reduce A by 0                 -> rejected size-increment value=0 below=0 above=0.01
  bob reduce A by 1                   -> rejected order-unknown
  alice reduce nothing by 1           -> rejected field-missing field=order
  order A open remaining 3

S5 altering is cancel and new: what remains at the new price
  A: alice buy 5 @ 100 id=mine tags=bot
  bob sell 2 @ 100
  B: alice alter A price=101          -> altered open size 3, deal 0, remaining 3
    * book bid 100: 0
    * alice USDT +300.6 held -300.6 (release)
    * done A altered
    * received B
    * alice USDT -303.606 held +303.606 (hold)
    * opened B 3
    * book bid 101: 3
  order A done altered deal 2 cancelled 3
  shows order B clientId=mine tags=bot price=101 size=3
  alice USDT 9496.194 + 303.606 held
  alice buy 1 @ 90 id=mine            -> rejected client-id-used clientId=mine order=B
  alice cancel id=mine                -> done requested, cancelled 3
  order B done requested

S5 altering the size counts what is filled
  A: alice buy 5 @ 100
  bob sell 2 @ 100
  B: alice alter A size=4             -> altered open size 2
  shows order B price=100 size=2
  C: alice alter B price=99 size=6    -> altered open size 6
  shows order C price=99 size=6

S5 altering to no more than what is filled only cancels
  A: alice buy 5 @ 100
  bob sell 2 @ 100
  alice alter A size=2                -> altered nothing
    * book bid 100: 0
    * alice USDT +300.6 held -300.6 (release)
    * done A altered
  B: alice buy 5 @ 100
  bob sell 2 @ 100
  alice alter B size=1                -> altered nothing
  order B done altered deal 2 cancelled 3

S5 an alteration that is refused changes nothing
  A: alice buy 5 @ 100
  alice alter A                       -> rejected field-missing field=newPrice
  alice alter A price=100.05          -> rejected price-increment below=100 above=100.1
  alice alter A size=4.005            -> rejected size-increment increment=0.01
  alice alter A size=10000.01         -> rejected size-above-max value=10000.01 max=10000
  alice alter A size=100              -> rejected funds-insufficient need=10020 available=10000
  bob alter A price=101               -> rejected order-unknown
  symbol minFunds=10
  alice alter A size=0.09             -> rejected min-funds value=9 min=10
  order A open remaining 5 holds 501
  book bids 100: 5

S5 the old order's money and place in the limits are free for the new one
  limits perSymbol=1
  A: alice buy 99 @ 100
  alice alter A price=100.1           -> altered open remaining 99
  alice USDT 70.2802 + 9929.7198 held

S5 the new order may trade at once, and stands at the end of its queue
  bob sell 1 @ 102
  A: alice buy 2 @ 100
  B: alice alter A price=102          -> altered open deal 1, remaining 1
  trade 1 @ 102 buy
  C: carol buy 1 @ 102
  alice alter B price=102             -> altered open remaining 1
  bob sell 1 @ 102
  trade 1 @ 102 sell with C

S5+R10 the visible size of an altered iceberg follows the new size
  A: alice sell 10 @ 100 iceberg visible=5
  B: alice alter A size=2             -> altered open remaining 2
  shows order B iceberg=true visibleSize=2
  C: alice sell 10 @ 100 iceberg visible=0.5
  D: alice alter C size=10.01         -> altered open
  shows order D visibleSize=0.51
  E: alice alter D price=101          -> altered open
  shows order E visibleSize=0.51

S5+R8 the time of an altered GTT order starts anew
  A: alice buy 1 @ 100 GTT after=10
  later 6s
  B: alice alter A price=101
  time +9999ms
  order B open
  time +1ms
  order B done expired
`);
