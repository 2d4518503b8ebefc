import { scenarios } from './runner.ts';

scenarios(`
R8 GTC is the default and ends only when it is filled or cancelled
  A: alice buy 1 @ 100
  B: alice buy 1 @ 99 GTC
  shows order A timeInForce=GTC
  time +365d
    * none
  order A open
  order B open

R8 GTT ends when its time has come, not before
  A: alice buy 1 @ 100 GTT after=5    -> open
  time +4999ms
    * none
  order A open
  time +1ms
    * book bid 100: 0
    * alice USDT +100.2 held -100.2 (release)
    * done A expired
  order A done expired deal 0 cancelled 1

R8 GTT: what has been filled stays filled
  A: alice sell 3 @ 100 GTT after=5
  bob buy 1 @ 100
  time +5s
    * book ask 100: 0
    * alice BTC +2 held -2 (release)
    * done A expired
  order A done expired deal 1 cancelled 2
  alice BTC 99 + 0 held  USDT 10099.9 + 0 held

R8 GTT needs cancelAfter, and nothing else takes it
  alice buy 1 @ 100 GTT               -> rejected field-missing field=cancelAfterSec
  alice buy 1 @ 100 after=5           -> rejected field-not-allowed field=cancelAfterSec
  alice buy 1 @ 100 GTC after=5       -> rejected field-not-allowed field=cancelAfterSec
  alice buy 1 @ 100 IOC after=5       -> rejected field-not-allowed field=cancelAfterSec
  alice buy 1 @ 100 FOK after=5       -> rejected field-not-allowed field=cancelAfterSec

R8 cancelAfter is a whole number of seconds from 1 to 10^9
  alice buy 1 @ 100 GTT after=0       -> rejected value-invalid field=cancelAfterSec value=0
  alice buy 1 @ 100 GTT after=-1      -> rejected value-invalid field=cancelAfterSec value=-1
  alice buy 1 @ 100 GTT after=1.5     -> rejected value-invalid field=cancelAfterSec value=1.5
  alice buy 1 @ 100 GTT after=1000000001  -> rejected value-invalid field=cancelAfterSec value=1000000001
  A: alice buy 1 @ 100 GTT after=1    -> open
  B: alice buy 1 @ 100 GTT after=1000000000  -> open
  time +1s
  order A done expired
  order B open

R8 IOC never rests, even when nothing matches
  alice sell 1 @ 101
  alice buy 1 @ 100 IOC               -> done ioc, deal 0, cancelled 1
  book bids none
  book asks 101: 1

R8 IOC stays within its limit
  alice sell 1 @ 100
  alice sell 1 @ 102
  bob buy 2 @ 101 IOC                 -> done ioc, deal 1, for 100, cancelled 1
  book asks 102: 1

R8 IOC that is filled completely is filled
  alice sell 1 @ 100
  bob buy 1 @ 100 IOC                 -> done filled, deal 1

R8 FOK fills completely, over several levels
  alice sell 1 @ 100
  alice sell 2 @ 101
  bob buy 3 @ 101 FOK                 -> done filled, deal 3, for 302
  trade 1 @ 100 buy
  trade 2 @ 101 buy
  book asks none

R8 FOK does nothing where the size within its limit is short
  alice sell 1 @ 100
  alice sell 2 @ 101
  alice sell 2 @ 102
  bob buy 3.01 @ 101 FOK              -> done fok, deal 0, cancelled 3.01
  no trade
  bob buy 1 @ 99 FOK                  -> done fok, deal 0
  book asks 100: 1, 101: 2, 102: 2

R8+R10 FOK counts hidden orders and what icebergs hide
  alice sell 3 @ 100 iceberg visible=1
  alice sell 2 @ 100 hidden
  book asks 100: 1
  bob buy 5.01 @ 100 FOK              -> done fok, deal 0
  bob buy 5 @ 100 FOK                 -> done filled, deal 5

R7+R8+R10 FOK behind an own order counts only the slices ahead of it
  A: bob sell 3 @ 100 iceberg visible=1
  B: alice sell 1 @ 100
  alice buy 2 @ 100 FOK               -> done fok, deal 0
  alice buy 1 @ 100 FOK               -> done filled, deal 1
  trade 1 @ 100 buy with A

R8 IOC and FOK do not count against the limit of resting orders
  limits perSymbol=1
  alice buy 1 @ 90
  alice buy 1 @ 91                    -> rejected orders-per-symbol max=1
  alice buy 1 @ 91 GTT after=5        -> rejected orders-per-symbol max=1
  alice buy 1 @ 91 IOC                -> done ioc
  alice buy 1 @ 91 FOK                -> done fok
  alice buy 1 market                  -> done book-end
`);
