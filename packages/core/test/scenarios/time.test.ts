import { scenarios } from './runner.ts';

scenarios(`
T a GTT order expires before a later order of that instant is processed
  A: alice sell 1 @ 100 GTT after=5
  later 5s
  B: bob buy 1 @ 100                  -> open deal 0
    * book ask 100: 0
    * alice BTC +1 held -1 (release)
    * done A expired
    * received B
    * bob USDT -100.2 held +100.2 (hold)
    * opened B 1
    * book bid 100: 1

T one millisecond earlier it still trades
  A: alice sell 1 @ 100 GTT after=5
  later 4999ms
  bob buy 1 @ 100                     -> done filled
  trade 1 @ 100 buy with A
  time +1ms
    * none

T what expires frees its money and its clientId counts as done
  A: alice buy 99 @ 100 GTT after=5 id=mine
  later 5s
  alice buy 99 @ 100 id=mine          -> rejected client-id-used clientId=mine order=A
  alice buy 99 @ 100                  -> open

T due things happen earliest first, at the same instant by order id
  A: alice buy 1 @ 101 GTT after=10
  B: alice buy 1 @ 102 GTT after=5
  C: bob buy 1 @ 103 GTT after=10
  D: carol buy 1 @ 104 GTT after=7
  time +20s
    * book bid 102: 0
    * alice USDT +102.204 held -102.204 (release)
    * done B expired
    * book bid 104: 0
    * carol USDT +104.208 held -104.208 (release)
    * done D expired
    * book bid 101: 0
    * alice USDT +101.202 held -101.202 (release)
    * done A expired
    * book bid 103: 0
    * bob USDT +103.206 held -103.206 (release)
    * done C expired

T at the same instant the smaller id expires first, whatever was sent with it
  A: alice buy 1 @ 101 GTT after=10
  later 5s
  B: bob buy 1 @ 102 GTT after=5
  C: carol buy 1 @ 103 GTT after=4
  time +5s
    * book bid 103: 0
    * carol USDT +103.206 held -103.206 (release)
    * done C expired
    * book bid 101: 0
    * alice USDT +101.202 held -101.202 (release)
    * done A expired
    * book bid 102: 0
    * bob USDT +102.204 held -102.204 (release)
    * done B expired

T a cancelled order does not expire later
  A: alice buy 1 @ 100 GTT after=5
  alice cancel A
  time +5s
    * none

T orders expire while the market is halted
  A: alice buy 1 @ 100 GTT after=5
  state halted
  time +5s
  order A done expired

T the switch cancels the user's orders unless it is set again in time
  A: alice buy 1 @ 100
  B: bob buy 1 @ 100
  alice switch 10                     -> switch 10000ms
    * switch alice 10
  time +9999ms
    * none
  alice switch 10                     -> switch 10000ms
  time +9999ms
  order A open
  time +1ms
    * switch alice off
    * book bid 100: 1
    * alice USDT +100.2 held -100.2 (release)
    * done A switch
  order A done switch
  order B open
  time +10s
    * none

T the switch turned off does nothing
  A: alice buy 1 @ 100
  alice switch 5
  alice switch off                    -> switch off
    * switch alice off
  time +10s
    * none
  order A open

T the switch takes -1 or 5 to 86400 seconds
  alice switch 4                      -> rejected value-invalid field=timeoutSec value=4
  alice switch 86401                  -> rejected value-invalid field=timeoutSec value=86401
  alice switch 0                      -> rejected value-invalid field=timeoutSec
  alice switch 5.5                    -> rejected value-invalid field=timeoutSec
  alice switch 10 in #7               -> rejected symbol-unknown symbol=#7
  alice switch 4 in #7                -> rejected symbol-unknown symbol=#7
  #9 switch 10                        -> rejected user-unknown user=#9
  alice switch 5                      -> switch 5000ms
  alice switch 86400                  -> switch 86400000ms

T the switch of some symbols leaves the others alone
  A: alice buy 1 @ 100
  B: alice buy 1 @ 100 in ETH-USDT
  alice switch 5 in ETH-USDT
  time +5s
  order A open
  order B done switch

T the switch works symbol by symbol, by ascending id, in halted markets too
  A: alice buy 1 @ 100 in ETH-USDT
  B: alice sell 1 @ 101
  C: alice buy 1 @ 99
  state halted
  alice switch 5 in ETH-USDT BTC-USDT ETH-USDT
    * switch alice 5 in BTC-USDT ETH-USDT
  time +5s
    * switch alice off
    * book ask 101: 0
    * alice BTC +1 held -1 (release)
    * done B switch
    * book bid 99: 0
    * alice USDT +99.198 held -99.198 (release)
    * done C switch
    * book bid 100: 0
    * alice USDT +100.2 held -100.2 (release)
    * done A switch

T at the same instant expiries come before switches, switches by user
  A: bob buy 1 @ 101
  B: alice buy 1 @ 102
  C: alice buy 1 @ 103 GTT after=10
  bob switch 10
  alice switch 10
  time +10s
    * book bid 103: 0
    * alice USDT +103.206 held -103.206 (release)
    * done C expired
    * switch alice off
    * book bid 102: 0
    * alice USDT +102.204 held -102.204 (release)
    * done B switch
    * switch bob off
    * book bid 101: 0
    * bob USDT +101.202 held -101.202 (release)
    * done A switch

T a new switch replaces the old one, its symbols too
  A: alice buy 1 @ 100
  B: alice buy 1 @ 100 in ETH-USDT
  alice switch 5
  alice switch 20 in BTC-USDT
  time +10s
    * none
  time +10s
  order A done switch
  order B open

T what is due at one instant beyond the steps of a record happens with the next ones
  limits steps=2
  A: alice buy 1 @ 101 GTT after=5
  B: alice buy 1 @ 102 GTT after=5
  C: alice buy 1 @ 103 GTT after=5
  D: alice buy 1 @ 104 GTT after=5
  E: alice buy 1 @ 105 GTT after=5
  later 5s
  carol buy 1 @ 1
  order A done expired
  order B done expired
  order C open
  bob sell 1 @ 103                    -> done filled
  order C done expired
  order D done expired
  order E done filled

T a switch goes off whole, and the next one waits for the next record
  limits steps=1
  A: alice buy 1 @ 101
  B: alice buy 1 @ 102
  C: bob buy 1 @ 103
  alice switch 5
  bob switch 5
  later 5s
  carol buy 1 @ 1
  order A done switch
  order B done switch
  order C open
  carol buy 1 @ 1
  order C done switch

T an expiry that is due comes before a command that is refused
  A: alice buy 1 @ 100 GTT after=5
  later 5s
  alice cancel A                      -> rejected order-unknown order=A
    * book bid 100: 0
    * alice USDT +100.2 held -100.2 (release)
    * done A expired
`);
