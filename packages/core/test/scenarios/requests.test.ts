/** The envelope of a command: replay protection, author and reason. */

import { scenarios } from './runner.ts';

scenarios(`
O1 the same request again is refused, and nothing else happens
  A: once=r1 alice buy 1 @ 100        -> open
  once=r1 alice buy 1 @ 100           -> rejected request-repeated id=r1
    * none
  once=r1 bob sell 1 @ 100            -> rejected request-repeated id=r1
  once=r2 alice cancel A              -> done requested
  once=r1 alice buy 1 @ 100           -> rejected request-repeated id=r1
  alice buy 1 @ 100                   -> open

O1 an id is remembered through its last millisecond, then free
  once=r1 until=1s alice buy 1 @ 100  -> open
  time +1s
  once=r1 alice buy 1 @ 100           -> rejected request-repeated id=r1
  time +1ms
  once=r1 until=2s alice buy 1 @ 100  -> open
  time +2s
  once=r1 alice buy 1 @ 100           -> rejected request-repeated id=r1

O1 it is free a millisecond later, within the same second
  once=r1 until=100ms alice buy 1 @ 100  -> open
  time +100ms
  once=r1 alice buy 1 @ 100           -> rejected request-repeated id=r1
  time +1ms
  once=r1 until=200ms alice buy 1 @ 100  -> open
  time +200ms
  once=r1 alice buy 1 @ 100           -> rejected request-repeated id=r1
  time +2s
  once=r1 alice buy 1 @ 100           -> open

O1 the time of the first request counts, not that of its repetition
  once=r1 until=2s alice buy 1 @ 100  -> open
  once=r1 until=60s alice buy 1 @ 100 -> rejected request-repeated id=r1
  time +2001ms
  once=r1 alice buy 1 @ 100           -> open

O1 what was refused is not tried again
  once=r1 alice buy 1000 @ 100        -> rejected funds-insufficient
  alice deposit 100000 USDT
  alice transfer 100000 USDT
  once=r1 alice buy 1000 @ 100        -> rejected request-repeated id=r1
  once=r2 alice buy 1000 @ 100        -> open

O1 a time of now and of a minute are right, before and after are not
  once=r1 until=0ms alice buy 1 @ 100 -> open
  once=r1 until=0ms alice buy 1 @ 100 -> rejected request-repeated id=r1
  once=r2 until=60s alice buy 1 @ 100 -> open
  once=r3 until=60001ms alice buy 1 @ 100  -> rejected value-invalid field=once.until
    * none
  once=r3 until=-1ms alice buy 1 @ 100  -> rejected value-invalid field=once.until
  once=r3 until=#1700000000000.5 alice buy 1 @ 100  -> rejected value-invalid field=once.until
  once=r3 until=#NaN alice buy 1 @ 100  -> rejected value-invalid field=once.until
  once=r3 alice buy 1 @ 100           -> open

O1 an id is 1 to 64 printable characters
  once='' alice buy 1 @ 100           -> rejected text-invalid field=once.id lengthMax=64
  once=é alice buy 1 @ 100            -> rejected text-invalid field=once.id value=é
  once=0123456789012345678901234567890123456789012345678901234567890123 alice buy 1 @ 100
      -> open
  once=01234567890123456789012345678901234567890123456789012345678901234 alice buy 1 @ 100
      -> rejected text-invalid field=once.id
  once='~ a b' alice buy 1 @ 100      -> open

O1 it is said before anything else: repeated, then the id, then the time, then the command
  once=r1 alice buy 1 @ 100           -> open
  once=r1 until=#NaN #9 buy 1 @ 100   -> rejected request-repeated id=r1
  once=é until=#NaN #9 buy 1 @ 100    -> rejected text-invalid field=once.id
  once=r2 until=#NaN #9 buy 1 @ 100   -> rejected value-invalid field=once.until
  once=r2 #9 buy 1 @ 100              -> rejected user-unknown
  once=r2 alice buy 1 @ 100           -> rejected request-repeated id=r2

O1 every command may carry it, the operator's too
  once=r1 state halted                -> accepted
  once=r1 state open                  -> rejected request-repeated id=r1
  alice buy 1 @ 100                   -> rejected market-closed state=halted
  once=r2 state open                  -> accepted
  once=r3 alice batch buy 1 @ 100 ; buy 1 @ 100  -> open ; open
  once=r3 alice batch buy 1 @ 100 ; buy 1 @ 100  -> rejected request-repeated id=r3
  book bid 100: 2

O2 who did it and why change nothing
  by=ann why='told so' state halted   -> accepted
    * symbol BTC-USDT halted
  by='' why='' state open             -> accepted
    * symbol BTC-USDT open
  D: by=ann why=x alice deposit 1 USDT travelRule  -> deposit waiting
  Q: alice questionnaire D
  by=ann why=x decide Q accept        -> accepted
  W: alice withdraw 1 BTC
  by=ann why=x claim W                -> accepted
  by=ann why=x settle W sent          -> accepted

O2 by is at most 64 printable characters, before the command itself
  by=é state halted                   -> rejected text-invalid field=by value=é lengthMax=64
    * none
  by=0123456789012345678901234567890123456789012345678901234567890123 state halted
      -> accepted
  by=01234567890123456789012345678901234567890123456789012345678901234 state open
      -> rejected text-invalid field=by
  by=é state open in #7               -> rejected text-invalid field=by
  by=ann state open in #7             -> rejected symbol-unknown

O2 why is at most 256 characters of any kind
  why=${'é'.repeat(256)} state halted -> accepted
  why=${'é'.repeat(257)} state open   -> rejected text-invalid field=why lengthMax=256
  once=r1 by=é state open             -> rejected text-invalid field=by
  once=r1 state open                  -> rejected request-repeated id=r1
`);
