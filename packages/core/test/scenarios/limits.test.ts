import { scenarios } from './runner.ts';

scenarios(`
L active orders per pair: 200 by default
  repeat 200 alice buy 0.01 @ 1       -> open
  alice buy 0.01 @ 1                  -> rejected orders-per-symbol max=200
  alice sell 0.01 @ 100               -> rejected orders-per-symbol max=200
  alice buy 0.01 @ 1 IOC              -> done ioc
  alice buy 0.01 @ 1 FOK              -> done fok
  alice sell 0.01 market              -> done filled
  alice sell 0.01 @ 100               -> open
  alice buy 0.01 @ 1                  -> rejected orders-per-symbol max=200
  alice buy 0.01 @ 1 in ETH-USDT      -> open
  bob buy 0.01 @ 1                    -> open
  alice-sub buy 0.01 @ 1              -> open
  book bids 1: 2.01

L active orders per pair: done orders free their place
  limits perSymbol=2
  A: alice buy 1 @ 100
  alice buy 1 @ 99 GTT after=5
  alice buy 1 @ 98                    -> rejected orders-per-symbol max=2
  alice cancel A
  alice buy 1 @ 98                    -> open
  alice buy 1 @ 97                    -> rejected orders-per-symbol max=2
  later 5s
  alice buy 1 @ 97                    -> open
  bob sell 1 @ 98                     -> done filled
  alice buy 1 @ 96                    -> open

L active orders per pair: an order that would be filled at once needs a place too
  limits perSymbol=1
  alice buy 1 @ 90
  bob sell 1 @ 100
  alice buy 1 @ 100                   -> rejected orders-per-symbol max=1
  alice buy 1 @ 100 IOC               -> done filled

L active orders per pair: a lower limit leaves the orders that rest
  A: alice buy 1 @ 100
  B: alice buy 1 @ 99
  limits perSymbol=1
  order A open
  order B open
  alice cancel A
  alice buy 1 @ 98                    -> rejected orders-per-symbol max=1
  alice cancel B
  alice buy 1 @ 98                    -> open

L active orders per account: 2000 by default, over all pairs
  repeat 9 new symbol BTC-P{i} base=BTC quote=USDT
  repeat 200 alice buy 0.01 @ 1       -> open
  repeat 200 alice buy 0.01 @ 1 in ETH-USDT  -> open
  repeat 200 alice buy 0.01 @ 1 in BTC-P1  -> open
  repeat 200 alice buy 0.01 @ 1 in BTC-P2  -> open
  repeat 200 alice buy 0.01 @ 1 in BTC-P3  -> open
  repeat 200 alice buy 0.01 @ 1 in BTC-P4  -> open
  repeat 200 alice buy 0.01 @ 1 in BTC-P5  -> open
  repeat 200 alice buy 0.01 @ 1 in BTC-P6  -> open
  repeat 200 alice buy 0.01 @ 1 in BTC-P7  -> open
  repeat 200 alice buy 0.01 @ 1 in BTC-P8  -> open
  alice buy 0.01 @ 1 in BTC-P9        -> rejected orders-per-user max=2000
  alice buy 0.01 @ 1 in BTC-P8        -> rejected orders-per-symbol max=200
  alice buy 0.01 @ 1 in BTC-P9 IOC    -> done ioc
  alice-sub buy 0.01 @ 1 in BTC-P9    -> open
  alice cancel all in BTC-P8
  alice buy 0.01 @ 1 in BTC-P9        -> open

L active orders per account: pairs add up
  limits perUser=2
  alice buy 1 @ 100
  A: alice buy 1 @ 100 in ETH-USDT
  alice buy 1 @ 99                    -> rejected orders-per-user max=2
  alice buy 1 @ 99 in ETH-USDT        -> rejected orders-per-user max=2
  alice cancel A
  alice buy 1 @ 99                    -> open

L stop orders per pair: 20 by default
  repeat 20 alice stop loss 90 sell 0.01 @ 90  -> added
  alice stop loss 90 sell 0.01 @ 90   -> rejected stop-orders-per-symbol max=20
  alice stop loss 90 sell 0.01 @ 90 in ETH-USDT  -> added
  bob stop loss 90 sell 0.01 @ 90     -> added
  alice buy 0.01 @ 1                  -> open

L stop orders per pair: a stop that is done frees its place
  limits stops=1
  S: alice stop loss 90 sell 0.01 @ 90
  alice stop loss 90 sell 0.01 @ 90   -> rejected stop-orders-per-symbol max=1
  alice cancel-stop S
  alice stop loss 90 sell 0.01 @ 90   -> added

L look-up window: a clientId is used while its order is active
  A: alice buy 1 @ 100 id=mine
  alice buy 1 @ 99 id=mine            -> rejected client-id-used clientId=mine order=A
  time +30d
  alice buy 1 @ 99 id=mine            -> rejected client-id-used clientId=mine order=A
  alice buy 1 @ 99 in ETH-USDT id=mine  -> rejected client-id-used clientId=mine order=A
  bob buy 1 @ 99 id=mine              -> open
  alice-sub buy 1 @ 99 id=mine        -> open

L look-up window: and for three times 24 hours after it is done
  A: alice buy 1 @ 100 id=mine
  alice cancel A
  alice buy 1 @ 99 id=mine            -> rejected client-id-used clientId=mine order=A
  later 259199999ms
  alice buy 1 @ 99 id=mine            -> rejected client-id-used clientId=mine order=A
  later 1ms
  B: alice buy 1 @ 99 id=mine         -> open
  alice buy 1 @ 98 id=mine            -> rejected client-id-used clientId=mine order=B
  alice cancel id=mine                -> done requested

L look-up window: what an altered order leaves behind does not free the id of the new one
  limits window=10s
  A: alice buy 1 @ 100 id=mine
  B: alice alter A price=101
  later 10s
  time +1ms
  alice buy 1 @ 99 id=mine            -> rejected client-id-used clientId=mine order=B
  alice cancel id=mine                -> done requested

L look-up window: filled orders and those that never rested count from their end
  limits window=10s
  bob sell 3 @ 100
  A: alice buy 1 @ 100 id=a           -> done filled
  B: alice buy 1 @ 99 IOC id=b        -> done ioc
  C: alice buy 1 market id=c          -> done filled
  D: alice buy 1 @ 98 GTT after=5 id=d
  alice buy 1 @ 90 id=a               -> rejected client-id-used clientId=a order=A
  alice buy 1 @ 90 id=b               -> rejected client-id-used clientId=b order=B
  alice buy 1 @ 90 id=c               -> rejected client-id-used clientId=c order=C
  time +5s
  order D done expired
  later 5s
  alice buy 1 @ 90 id=a               -> open
  alice buy 1 @ 90 id=b               -> open
  alice buy 1 @ 90 id=c               -> open
  alice buy 1 @ 90 id=d               -> rejected client-id-used clientId=d order=D
  later 5s
  alice buy 1 @ 90 id=d               -> open

L look-up window: stop orders share the clientIds
  limits window=10s
  S: alice stop loss 90 sell 1 @ 90 id=mine
  alice buy 1 @ 90 id=mine            -> rejected client-id-used clientId=mine order=S
  alice stop loss 90 sell 1 @ 90 id=mine  -> rejected client-id-used clientId=mine order=S
  alice cancel-stop S
  alice buy 1 @ 90 id=mine            -> rejected client-id-used clientId=mine order=S
  later 10s
  A: alice buy 1 @ 90 id=mine         -> open
  alice stop loss 90 sell 1 @ 90 id=mine  -> rejected client-id-used clientId=mine order=A

L clientId length: 40 digits, letters, underscores and hyphens
  alice buy 1 @ 90 id=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa  -> open
  alice buy 1 @ 90 id=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
      -> rejected text-invalid field=clientId lengthMax=40
  alice buy 1 @ 90 id=Az09_-          -> open
  alice buy 1 @ 90 id=a.b             -> rejected text-invalid field=clientId value=a.b
  alice buy 1 @ 90 id='a b'           -> rejected text-invalid field=clientId
  alice buy 1 @ 90 id=é               -> rejected text-invalid field=clientId
  alice buy 1 @ 90 id=''              -> open
  alice buy 1 @ 90 id=''              -> open

L tags and remark length: 20 printable ASCII characters each
  alice buy 1 @ 90 tags='a b !#~ 678901234567' remark='12345678901234567890'  -> open
  alice buy 1 @ 90 tags=123456789012345678901    -> rejected text-invalid field=tags lengthMax=20
  alice buy 1 @ 90 remark=123456789012345678901  -> rejected text-invalid field=remark lengthMax=20
  alice buy 1 @ 90 tags=é             -> rejected text-invalid field=tags value=é
  alice buy 1 @ 90 remark=é           -> rejected text-invalid field=remark value=é

L iceberg visible size: at least 1/20 of the size, at most all, a multiple of baseIncrement
  alice sell 10 @ 100 iceberg visible=0.49   -> rejected visible-size value=0.49 min=0.5 max=10 increment=0.01
  alice sell 10 @ 100 iceberg visible=10.01
      -> rejected visible-size value=10.01 min=0.5 max=10 increment=0.01
  alice sell 10 @ 100 iceberg visible=0      -> rejected visible-size value=0
  alice sell 10 @ 100 iceberg visible=1.005  -> rejected visible-size
  alice sell 10 @ 100 iceberg visible=0.5    -> open
  alice sell 10 @ 100 iceberg visible=10     -> open
  alice sell 0.5 @ 100 iceberg visible=0.02
      -> rejected visible-size value=0.02 min=0.03 max=0.5 increment=0.01
  alice sell 0.5 @ 100 iceberg visible=0.03  -> open

L transfer clientId length: 1 to 128 printable ASCII characters
  alice transfer 1 USDT id=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
      -> added
  alice transfer 1 USDT id=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
      -> rejected text-invalid field=clientId lengthMax=128
  alice transfer 1 USDT id=''         -> rejected text-invalid field=clientId
  alice transfer 1 USDT id='any text!'  -> added

L look-up window: what one record does not free becomes free with the next
  limits steps=1
  repeat 50 alice buy 1 @ 1 IOC id=x{i}
  later 3d
  alice buy 1 @ 1 IOC id=x45          -> rejected client-id-used
  alice buy 1 @ 1 IOC id=x45          -> done ioc

L client ids of a user: with those of its sub-accounts the oldest that is done becomes free early
  limits clientIds=3
  alice buy 1 @ 100 id=active
  alice buy 1 @ 100 IOC id=a
  alice-sub buy 1 @ 100 IOC id=b
  alice stop loss 50 sell 1 @ 50 id=c
  alice cancel-stop id=c
  bob buy 1 @ 100 IOC id=a
  alice test buy 1 @ 100 id=a         -> rejected client-id-used
  alice-sub buy 1 @ 100 IOC id=d      -> done ioc
  alice test buy 1 @ 100 id=a         -> accepted
  alice test buy 1 @ 100 id=active    -> rejected client-id-used
  alice-sub test buy 1 @ 100 id=b     -> rejected client-id-used
  alice test buy 1 @ 100 id=c         -> rejected client-id-used
  bob test buy 1 @ 100 id=a           -> rejected client-id-used
  alice oco 95/94 sell 1 @ 110 id=e
  alice cancel-oco id=e
  alice-sub test buy 1 @ 100 id=b     -> accepted

L client ids in all: the master with the most loses the oldest, nobody is refused
  limits clientIdsInAll=4
  bob buy 1 @ 100 IOC id=a
  repeat 3 alice-sub buy 1 @ 100 IOC id=s{i}
  bob buy 1 @ 100 IOC id=b            -> done ioc
  alice-sub test buy 1 @ 100 id=s1    -> accepted
  carol buy 1 @ 100 IOC id=a          -> done ioc
  alice-sub test buy 1 @ 100 id=s2    -> accepted
  bob test buy 1 @ 100 id=a           -> rejected client-id-used
  bob test buy 1 @ 100 id=b           -> rejected client-id-used

L client ids in all: a master that has given up its part is not the heaviest any more
  limits clientIdsInAll=4
  repeat 4 alice buy 1 @ 1 IOC id=a{i}
  repeat 4 bob buy 1 @ 1 IOC id=b{i}
  alice test buy 1 @ 1 id=a4          -> rejected client-id-used
  bob test buy 1 @ 1 id=b1            -> accepted
  bob test buy 1 @ 1 id=b2            -> rejected client-id-used

L client ids: a limit that was lowered is worked off, two ids for each that is done
  limits clientIdsInAll=10
  repeat 10 alice buy 1 @ 1 IOC id=x{i}
  limits clientIdsInAll=5
  alice buy 1 @ 1 IOC id=y1
  alice test buy 1 @ 1 id=x2          -> accepted
  alice test buy 1 @ 1 id=x3          -> rejected client-id-used
  limits clientIds=2 clientIdsInAll=100
  alice buy 1 @ 1 IOC id=y2
  alice test buy 1 @ 1 id=x4          -> accepted
  alice test buy 1 @ 1 id=x5          -> rejected client-id-used

L a stop order's client id is its order's when it triggers, and needs no further room
  limits clientIds=1
  alice stop entry 105 buy 1 @ 90 id=a  -> added
  bob sell 1 @ 105
  alice buy 1 @ 105
  alice cancel id=a                   -> done requested

L the limits that are set are shown with the ones that stay
  limits perSymbol=3
    * limits
  shows limits lookupWindowMs=259200000 activeOrdersPerSymbolMax=3 activeOrdersPerUserMax=2000
  shows limits stopOrdersPerSymbolMax=20
  limits perSymbol=0                  -> rejected value-invalid
  limits perUser=1000001              -> rejected value-invalid
  limits stops=1.5                    -> rejected value-invalid
  limits window=-1                    -> rejected value-invalid
  limits window=0                     -> accepted
`);
