/** Users: their tier, freezes, and their deposit addresses. */

import { scenarios } from './runner.ts';

scenarios(`
U a user has a tier from 0 to 12, which is only kept
  user alice tier=12                  -> accepted
    * user-changed alice tier 12
  user alice tier=0                   -> accepted
  user alice tier=3                   -> accepted
  user alice tier=13                  -> rejected value-invalid field=tier value=13
  user alice tier=-1                  -> rejected value-invalid field=tier
  user alice tier=1.5                 -> rejected value-invalid field=tier
  user #9 tier=13                     -> rejected user-unknown user=#9
  shows standing alice tier=3 frozen=false
  alice buy 1 @ 100                   -> open

U what is left out of a change stays
  user alice tier=3 frozen=yes        -> accepted
    * user-changed alice tier 3 frozen
  user alice tier=4                   -> accepted
    * user-changed alice tier 4 frozen
  user alice frozen=no                -> accepted
    * user-changed alice tier 4
  user alice                          -> accepted
    * user-changed alice tier 4

U a frozen user places, tests and alters nothing
  A: alice buy 1 @ 100
  user alice frozen=yes
  alice buy 1 @ 100                   -> rejected user-frozen user=alice
    * none
  alice test buy 1 @ 100              -> rejected user-frozen
  alice batch buy 1 @ 100 ; buy 1 @ 100  -> rejected user-frozen
  alice stop loss 95 sell 1 @ 94      -> rejected user-frozen
  alice alter A price=99              -> rejected user-frozen
  alice alter nothing in #7           -> rejected user-frozen
  alice buy 1 @ 100 in #7             -> rejected user-frozen
  order A open remaining 1
  bob buy 1 @ 100                     -> open
  user alice frozen=no
  alice alter A price=99              -> altered open

U a frozen user still cancels, reduces and sets the switch
  A: alice buy 2 @ 100
  B: alice buy 2 @ 99
  C: alice stop loss 95 sell 1 @ 94
  W: alice withdraw 1 BTC
  user alice frozen=yes
  alice reduce A by 1                 -> open remaining 1
  alice cancel A                      -> done requested
  alice cancel-stop C                 -> accepted
  alice switch 10                     -> switch 10000ms
  alice cancel all                    -> cancelled B
  alice cancel-withdrawal W           -> accepted

U a frozen user's orders stay in the book and trade
  A: alice sell 2 @ 100
  user alice frozen=yes
  bob buy 1 @ 100                     -> done filled
  order A open remaining 1

U a stop order of a frozen user is refused when it triggers
  S: alice stop loss 95 sell 1 @ 94
  user alice frozen=yes
  X: bob buy 1 @ 95
  Y: carol sell 1 @ 95                -> done filled
    * received Y
    * carol BTC -1 held +1 (hold)
    * trade 1 @ 95 sell
    * bob USDT +0.095 held -95.19 (trade)
    * bob BTC +1 (trade)
    * carol BTC held -1 (trade)
    * carol USDT +94.81 (trade)
    * system fees USDT +0.285 (trade)
    * book bid 95: 0
    * done X filled
    * done Y filled
    * stop-done S rejected user-frozen
  user alice frozen=no
  alice cancel-stop S                 -> rejected order-unknown

U a frozen user moves no money, and nobody moves it for them
  user alice frozen=yes
  alice transfer 1 USDT               -> rejected user-frozen user=alice
  alice withdraw 1 BTC                -> rejected user-frozen user=alice
  alice withdraw 1 #9                 -> rejected user-frozen user=alice
  alice transfer 1 USDT type=parent-to-sub toUser=alice-sub  -> rejected user-frozen user=alice
  alice transfer 1 USDT type=parent-to-sub toUser=#9  -> rejected user-unknown user=#9
  user alice frozen=no
  user alice-sub frozen=yes
  alice transfer 1 USDT type=parent-to-sub toUser=alice-sub  -> rejected user-frozen user=alice-sub
  alice transfer 1 USDT type=sub-to-parent fromUser=alice-sub  -> rejected user-frozen user=alice-sub
  alice transfer 1 USDT               -> added

U what comes in, comes in: deposits of a frozen user, and what the operator decides
  D: alice deposit 1 USDT travelRule  -> deposit waiting
  Q: alice questionnaire D            -> added
  user alice frozen=yes
  alice deposit 1 USDT                -> deposit done
  decide Q accept                     -> accepted

U a frozen sub-account does not freeze its master
  user alice-sub frozen=yes
  alice buy 1 @ 100                   -> open
  alice-sub buy 1 @ 100               -> rejected user-frozen user=alice-sub

U a sub-account that was frozen by itself stays so when its master thaws
  user alice frozen=yes
  user alice-sub frozen=yes
  user alice frozen=no
  alice-sub buy 1 @ 100               -> rejected user-frozen user=alice-sub
  user alice-sub frozen=no
  alice-sub buy 1 @ 100               -> open

U a sub-account of a frozen master is frozen from its beginning, and a stop order of one is refused when it triggers
  S: alice-sub stop loss 95 sell 1 @ 94
  user alice frozen=yes
  new user late of alice              -> added
  late buy 1 @ 100                    -> rejected user-frozen user=late
  bob buy 1 @ 95
  carol sell 1 @ 95                   -> done filled
  alice-sub cancel-stop S             -> rejected order-unknown

U what users send for their sub-accounts names a master and its own
  new user one of alice sender=alice  -> added
  new user two of alice sender=bob    -> rejected not-a-master user=bob
  new user two sender=bob             -> rejected not-a-master user=bob
  new user two of alice-sub sender=alice-sub  -> rejected not-a-master user=alice-sub
  new user two of alice sender=#9     -> rejected user-unknown user=#9
  key add k1 user=one sender=alice    -> accepted
  key add k2 user=one sender=bob      -> rejected not-a-sub-account user=one parent=bob
  key add k2 user=alice sender=alice  -> rejected not-a-sub-account user=alice parent=alice
  key change k1 note=x sender=bob     -> rejected not-a-sub-account user=one parent=bob
  key remove k1 sender=bob            -> rejected not-a-sub-account user=one parent=bob
  key remove k1 sender=alice          -> accepted

U an operator may give more sub-accounts and keys than a user may take
  repeat 99 new user s{i} of alice
  new user more of alice sender=alice -> rejected sub-accounts-per-user max=100
  new user more of alice              -> added
  repeat 10 key add k{i} user=bob
  key add more user=bob               -> accepted

M a deposit address is one for each user, currency and chain
  alice address BTC there             -> accepted
    * address alice BTC net there
  alice address BTC there             -> rejected address-taken currency=BTC chain=net address=there
    * none
  alice address BTC elsewhere         -> rejected address-taken currency=BTC chain=net address=there
  alice address USDT there memo=17    -> accepted
    * address alice USDT net there memo 17
  bob address BTC there               -> rejected address-in-use chain=net address=there
  bob address BTC there memo=18       -> accepted
  new currency TWO
  alice address TWO here              -> accepted

M no address is given to two users, loaded or not, and an index only once
  load a b                            -> accepted
  load c a                            -> rejected address-in-use chain=net address=a
  load c c                            -> rejected address-in-use chain=net address=c
  load                                -> rejected value-invalid field=addresses value=0
  alice address BTC a                 -> accepted
  alice address USDT a                -> accepted
  bob address BTC a                   -> rejected address-in-use chain=net address=a
  load a                              -> rejected address-in-use chain=net address=a
  bob address BTC k0 index=1          -> rejected address-index chain=net next=0
  bob address BTC k0 index=0          -> accepted
  bob address USDT k1 index=0         -> rejected address-index chain=net next=1
  bob address BTC z replaces=k0       -> rejected address-taken
  alice address BTC x replaces=b      -> rejected address-taken address=a
  alice address BTC x replaces=a      -> accepted
    * address alice BTC net x

M a deposit address is checked
  #9 address BTC there                -> rejected user-unknown user=#9
  alice address #9 there              -> rejected currency-unknown currency=#9
  alice address BTC there chain=moon  -> rejected chain-unknown chain=moon known=net
  alice address BTC ''                -> rejected text-invalid field=address lengthMax=128
  alice address BTC é                 -> rejected text-invalid field=address
  alice address BTC ${'x'.repeat(129)}  -> rejected text-invalid field=address
  alice address BTC ${'x'.repeat(128)} memo=${'m'.repeat(65)}  -> rejected text-invalid field=memo lengthMax=64
  alice address BTC ${'x'.repeat(128)} memo=${'m'.repeat(64)}  -> accepted
  currency BTC chain.isDepositEnabled=no
  bob address BTC there               -> rejected deposit-disabled currency=BTC chain=net
  alice address BTC there             -> rejected address-taken
`);
