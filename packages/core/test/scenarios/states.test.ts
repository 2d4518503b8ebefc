import { scenarios } from './runner.ts';

// The ten rows of the state table, in its order.
scenarios(`
S1 an accepted buy is active, its funds are held, it rests in the book
  A: alice buy 5 @ 100                -> open deal 0, remaining 5, cancelled 0
    * received A
    * alice USDT -501 held +501 (hold)
    * opened A 5
    * book bid 100: 5
  book bids 100: 5
  book asks none
  order A open deal 0 remaining 5 holds 501
  alice USDT 9499 + 501 held  BTC 100 + 0 held

S1 an accepted sell is active, the sold asset is held, it rests in the book
  A: alice sell 5 @ 100               -> open deal 0, remaining 5
    * received A
    * alice BTC -5 held +5 (hold)
    * opened A 5
    * book ask 100: 5
  book asks 100: 5
  alice BTC 95 + 5 held  USDT 10000 + 0 held

S1 orders of one price add up, levels are sorted
  alice buy 5 @ 100
  bob buy 2 @ 100
  carol buy 1 @ 99.9
  alice sell 3 @ 101
  bob sell 4 @ 100.5
  book bids 100: 7, 99.9: 1
  book asks 100.5: 4, 101: 3

S1 what was sent is what counts
  A: alice buy 5 @ 100 id=mine tags=bot remark='two words' stp=CO GTT after=60
  shows order A user=alice symbol=BTC-USDT side=buy type=limit price=100 size=5 funds=0 timeInForce=GTT
  shows order A cancelAfterSec=60 postOnly=false hidden=false iceberg=false visibleSize=0 stp=CO
  shows order A clientId=mine tags=bot remark='two words' makerRate=100000 takerRate=200000
  B: alice buy 5 @ 100 id='' tags='' remark='' stp=''
  shows order B timeInForce=GTC cancelAfterSec=0 stp='' clientId='' tags='' remark=''

S1 a batch is placed one by one, each with its own outcome
  A,B,C,D: alice batch buy 1 @ 100 ; buy 1 @ 1.05 ; sell 1 @ 99 ; buy 2 market
      -> open ; rejected price-increment ; done filled ; done book-end
  order A done filled
  ids A C D
  #9 batch buy 1 @ 100                -> rejected user-unknown user=#9

S1 a test order is checked and changes nothing
  alice test buy 5 @ 100 id=mine      -> accepted
    * none
  alice test buy 5 @ 100.05           -> rejected price-increment below=100 above=100.1
  alice test buy 500 @ 100            -> rejected funds-insufficient need=50100 available=10000
  alice test sell 5 market            -> accepted
  alice buy 5 @ 100 id=mine           -> open
  alice test buy 5 @ 100 id=mine      -> rejected client-id-used clientId=mine
  book bids 100: 5

S2 an order without the funds is refused and leaves nothing
  alice buy 100 @ 100
      -> rejected funds-insufficient user=alice account=trade currency=USDT need=10020 available=10000
    * none
  alice sell 100.01 @ 100
      -> rejected funds-insufficient user=alice account=trade currency=BTC need=100.01 available=100
  alice sell 100.01 market            -> rejected funds-insufficient currency=BTC need=100.01 available=100
  alice buy for 10000.01 market
      -> rejected funds-insufficient currency=USDT need=10000.01 available=10000
  alice USDT 10000 + 0 held  BTC 100 + 0 held
  book bids none
  alice sell 100 @ 100                -> open

S2 an order with illegal values is refused and leaves nothing
  alice buy 5 @ 100.05                -> rejected price-increment
    * none
  alice buy 5.001 @ 100               -> rejected size-increment
    * none
  alice USDT 10000 + 0 held

S3 a partial fill leaves the rest waiting
  A: alice sell 5 @ 100
  B: bob buy 2 @ 100                  -> done filled, deal 2, for 200, remaining 0, cancelled 0
    * received B
    * bob USDT -200.4 held +200.4 (hold)
    * trade 2 @ 100 buy
    * bob USDT held -200.4 (trade)
    * bob BTC +2 (trade)
    * alice BTC held -2 (trade)
    * alice USDT +199.8 (trade)
    * system fees USDT +0.6 (trade)
    * book ask 100: 3
    * done B filled
  trade 2 @ 100 buy with A, by bob, fees 0.4/0.2, rates taker/maker, liquidity taker/maker
  order A open deal 2 for 200 remaining 3 fee 0.2
  C: bob buy 1 @ 100                  -> done filled
  order A open deal 3 remaining 2

S3 an incoming order that is filled in part rests with what remains
  A: alice sell 2 @ 100
  B: bob buy 5 @ 100                  -> open deal 2, for 200, remaining 3
    * received B
    * bob USDT -501 held +501 (hold)
    * trade 2 @ 100 buy
    * bob USDT held -200.4 (trade)
    * bob BTC +2 (trade)
    * alice BTC held -2 (trade)
    * alice USDT +199.8 (trade)
    * system fees USDT +0.6 (trade)
    * book ask 100: 0
    * done A filled
    * opened B 3
    * book bid 100: 3
  book asks none
  book bids 100: 3

S3 a resting buy is filled in part
  A: alice buy 5 @ 100
  B: bob sell 2 @ 100                 -> done filled, deal 2
    * received B
    * bob BTC -2 held +2 (hold)
    * trade 2 @ 100 sell
    * alice USDT +0.2 held -200.4 (trade)
    * alice BTC +2 (trade)
    * bob BTC held -2 (trade)
    * bob USDT +199.6 (trade)
    * system fees USDT +0.6 (trade)
    * book bid 100: 3
    * done B filled
  order A open deal 2 remaining 3 holds 300.6 fee 0.2
  alice USDT 9499.2 + 300.6 held  BTC 102 + 0 held

S4 complete fills: both orders are done, the book is empty
  A: alice sell 5 @ 100
  B: bob buy 5 @ 100                  -> done filled, deal 5, for 500, remaining 0, cancelled 0
  order A done filled deal 5 for 500 cancelled 0 fee 0.5
  order B done filled deal 5 for 500 fee 1
  book asks none
  book bids none
  alice BTC 95 + 0 held  USDT 10499.5 + 0 held
  bob BTC 105 + 0 held  USDT 9499 + 0 held
  system fees USDT 1.5

S5 cancelling by id releases what is held
  A: alice buy 5 @ 100
  alice cancel A                      -> done requested, deal 0, cancelled 5, remaining 0
    * book bid 100: 0
    * alice USDT +501 held -501 (release)
    * done A requested
  order A done requested cancelled 5
  alice USDT 10000 + 0 held

S5 cancelling by clientId releases what remains
  A: alice sell 5 @ 100 id=mine
  bob buy 2 @ 100
  alice cancel id=mine                -> done requested, deal 2, cancelled 3
    * book ask 100: 0
    * alice BTC +3 held -3 (release)
    * done A requested
  alice BTC 98 + 0 held

S6 an order that is filled or cancelled cannot be cancelled
  A: alice sell 5 @ 100 id=a
  bob buy 5 @ 100
  alice cancel A                      -> rejected order-unknown order=A clientId=''
  alice cancel id=a                   -> rejected order-unknown order=none clientId=a
  B: alice sell 5 @ 100 id=b
  alice cancel B                      -> done requested
  alice cancel B                      -> rejected order-unknown order=B
  alice cancel id=b                   -> rejected order-unknown clientId=b
  order B done requested

S7 an IOC order executes what it can, the rest is cancelled
  A: alice sell 2 @ 100
  B: bob buy 5 @ 100 IOC              -> done ioc, deal 2, for 200, cancelled 3, remaining 0
    * received B
    * bob USDT -501 held +501 (hold)
    * trade 2 @ 100 buy
    * bob USDT held -200.4 (trade)
    * bob BTC +2 (trade)
    * alice BTC held -2 (trade)
    * alice USDT +199.8 (trade)
    * system fees USDT +0.6 (trade)
    * book ask 100: 0
    * done A filled
    * bob USDT +300.6 held -300.6 (release)
    * done B ioc
  book bids none
  bob USDT 9799.6 + 0 held

S8 a postOnly order that could be filled is cancelled
  A: alice sell 2 @ 100
  B: bob buy 5 @ 100 postOnly         -> done post-only, deal 0, cancelled 5
    * received B
    * bob USDT -501 held +501 (hold)
    * bob USDT +501 held -501 (release)
    * done B post-only
  order A open remaining 2

S9 a FOK order that cannot be filled completely is cancelled
  A: alice sell 2 @ 100
  B: bob buy 5 @ 100 FOK              -> done fok, deal 0, cancelled 5
    * received B
    * bob USDT -501 held +501 (hold)
    * bob USDT +501 held -501 (release)
    * done B fok
  order A open remaining 2

S10 a limit order that hits price protection is cancelled
  symbol priceLimitRate=0.1
  alice sell 1 @ 100
  alice sell 1 @ 111
  B: bob buy 2 @ 111                  -> done price-protection, deal 0, cancelled 2
    * received B
    * bob USDT -222.444 held +222.444 (hold)
    * bob USDT +222.444 held -222.444 (release)
    * done B price-protection
  book asks 100: 1, 111: 1
`);
