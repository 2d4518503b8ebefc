import { scenarios } from './runner.ts';

scenarios(`
C a change takes effect at its time, before the commands of that instant
  schedule 5s state halted            -> added
    * schedule 1 scheduled
  bob buy 1 @ 90                      -> open
  time +4999ms
    * none
  later 1ms
  bob buy 1 @ 90                      -> rejected market-closed state=halted

C it is checked again at its time
  schedule 5s state open
  auction 1m
  time +5s
    * schedule 1 refused

C a change that was taken back does not come
  schedule 5s state halted
  unschedule 1                        -> accepted
    * schedule 1 removed
  unschedule 1                        -> rejected schedule-unknown
  time +5s
    * none

C of several changes of one instant the first that was scheduled comes first
  schedule 5s state halted
  schedule 5s state cancel-only
  time +5s
    * symbol BTC-USDT halted
    * schedule 1 done
    * symbol BTC-USDT cancel-only
    * schedule 2 done

C a day: an opening auction, trading, the close
  state halted
  schedule 1h auction 10m then=open
  schedule 8h state cancel-only
  time +1h
  A: alice sell 5 @ 100
  bob buy 5 @ 100
  time +10m
  trade 5 @ 100 buy with A
  carol buy 1 @ 90                    -> open
  time +6h
  time +50m
  carol buy 1 @ 90                    -> rejected market-closed state=cancel-only

C an auction that ends comes before a scheduled change of the same instant
  auction 5s
  A: alice sell 5 @ 100
  bob buy 5 @ 100
  schedule 5s state halted
  time +5s
  trade 5 @ 100 buy with A
  carol buy 1 @ 90                    -> rejected market-closed state=halted

C a scheduled change waits while the symbol has an unfinished uncross
  limits steps=8
  auction 5s
  A: alice sell 1 @ 100
  B: alice sell 1 @ 100
  C: alice sell 1 @ 100
  D: bob buy 3 @ 100
  schedule 5s state halted
  time +5s
  trade 1 @ 100 buy with A
  time +1ms
    * trade 1 @ 100 buy
    * bob USDT +0.1 held -100.2 (trade)
    * bob BTC +1 (trade)
    * alice BTC held -1 (trade)
    * alice USDT +99.9 (trade)
    * system fees USDT +0.2 (trade)
    * book ask 100: 1
    * book bid 100: 1
    * done B filled
    * trade 1 @ 100 buy
    * bob USDT +0.1 held -100.2 (trade)
    * bob BTC +1 (trade)
    * alice BTC held -1 (trade)
    * alice USDT +99.9 (trade)
    * system fees USDT +0.2 (trade)
    * book ask 100: 0
    * book bid 100: 0
    * done C filled
    * done D filled
    * auction-ended BTC-USDT traded 3 @ 100
    * symbol BTC-USDT open
    * symbol BTC-USDT halted
    * schedule 1 done

C what can be scheduled, and when
  schedule -1ms state halted          -> rejected value-invalid field=at
  schedule 0ms state halted           -> rejected value-invalid field=at
  schedule 5s new user x              -> rejected value-invalid field=command
  schedule 5s pause                   -> added
  schedule 6s resume                  -> added
  time +5s
  bob buy 1 @ 90                      -> rejected market-closed state=paused
  time +1s
  bob buy 1 @ 90                      -> open
`);
