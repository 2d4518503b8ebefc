/** Operations on users and their money: freezes, closing, notes, cancelling their orders, corrections. */

import { scenarios } from './runner.ts';

scenarios(`
U a freeze of trading lets money out and orders be cancelled
  A: alice buy 1 @ 100
  freeze alice trading                -> accepted
    * user-changed alice tier 0 frozen trading
  alice buy 1 @ 100                   -> rejected user-frozen user=alice level=trading
  alice test buy 1 @ 100              -> rejected user-frozen level=trading
  alice batch buy 1 @ 100 ; buy 1 @ 100  -> rejected user-frozen level=trading
  alice stop loss 95 sell 1 @ 94      -> rejected user-frozen level=trading
  alice alter A price=99              -> rejected user-frozen level=trading
  alice withdraw 1 BTC                -> added
  alice transfer 1 BTC                -> added
  alice cancel A                      -> done requested
  freeze alice trades                 -> rejected value-invalid field=level value=trades
  freeze #9 trading                   -> rejected user-unknown

U a freeze of withdrawals lets trade, and lets no money out by way of a sub-account
  new user kid of alice
  freeze alice withdrawals alone      -> accepted
    * user-changed alice tier 0 frozen withdrawals alone
  alice buy 1 @ 100                   -> open
  alice withdraw 1 BTC                -> rejected user-frozen user=alice level=withdrawals
  alice transfer 1 BTC                -> added
  alice transfer 1 BTC type=parent-to-sub toUser=kid  -> rejected user-frozen user=alice level=withdrawals
  kid withdraw 1 BTC                  -> rejected funds-insufficient
  freeze alice withdrawals            -> accepted
  kid withdraw 1 BTC                  -> rejected user-frozen user=kid level=withdrawals
  kid deposit 1 BTC
  alice transfer 1 BTC type=sub-to-parent fromUser=kid  -> rejected user-frozen user=kid level=withdrawals
  unfreeze alice                      -> accepted
    * user-changed alice tier 0
  alice transfer 1 BTC type=parent-to-sub toUser=kid  -> added

U a stop order of a user whose trading is frozen is refused when it triggers
  S: alice stop loss 95 sell 1 @ 94
  freeze alice trading
  X: bob buy 1 @ 95
  Y: carol sell 1 @ 95                -> done filled
  unfreeze alice                      -> accepted
  alice cancel-stop S                 -> rejected order-unknown

U a master frozen alone leaves its sub-accounts as they are
  new user kid of alice
  freeze alice all alone              -> accepted
    * user-changed alice tier 0 frozen all alone
  alice buy 1 @ 100                   -> rejected user-frozen user=alice
  kid buy 1 @ 100                     -> rejected funds-insufficient
  freeze alice all                    -> accepted
    * user-changed alice tier 0 frozen
  kid buy 1 @ 100                     -> rejected user-frozen user=kid

U a freeze only adds to the one that is there
  new user kid of alice
  freeze alice all
  freeze alice trading                -> rejected frozen-already user=alice level=all
  freeze alice all alone              -> rejected frozen-already user=alice level=all
  freeze alice all                    -> accepted
  unfreeze alice
  freeze alice trading alone
  freeze alice withdrawals            -> rejected frozen-already level=trading
  freeze alice trading                -> accepted
  freeze alice all                    -> accepted
  user alice frozen=yes               -> accepted

U unfreezing ends freezes of sub-accounts only where that is said
  new user kid of alice
  freeze kid trading
  freeze alice withdrawals
  kid withdraw 1 BTC                  -> rejected user-frozen level=withdrawals
  unfreeze alice                      -> accepted
  kid withdraw 1 BTC                  -> rejected funds-insufficient
  kid buy 1 @ 100                     -> rejected user-frozen level=trading
  unfreeze alice all                  -> accepted
    * user-changed alice tier 0
    * user-changed kid tier 0
  kid buy 1 @ 100                     -> rejected funds-insufficient

U a freeze of a master and one of its sub-account both count
  new user kid of alice
  freeze kid trading
  freeze alice withdrawals
  kid buy 1 @ 100                     -> rejected user-frozen level=trading
  kid withdraw 1 BTC                  -> rejected user-frozen level=withdrawals
  freeze alice all
  kid buy 1 @ 100                     -> rejected user-frozen user=kid

U a user is closed for good, with keys and sub-accounts, and only when nothing is left
  close alice                         -> rejected user-not-empty user=alice has=money
  new user dora
  new user kid of dora
  key add k1 user=dora permissions=general
  key add k0 user=kid permissions=general
  kid deposit 1 BTC travelRule
  close dora                          -> rejected user-not-empty user=kid has=deposits
  new user erin
  new user eva of erin
  key add k3 user=erin permissions=general
  key add k2 user=eva permissions=general
  close erin                          -> accepted
    * key-removed k2
    * key-removed k3
    * user-changed erin tier 0 closed
    * user-changed eva tier 0 closed
  close erin                          -> rejected user-closed user=erin
  unfreeze erin                       -> rejected user-closed
  freeze erin trading                 -> rejected user-closed
  user erin tier=3                    -> rejected user-closed
  user eva frozen=no                  -> rejected user-closed user=eva
  erin deposit 1 BTC                  -> rejected user-closed
  key add k4 user=erin permissions=general  -> rejected user-closed
  new user ed of erin                 -> rejected user-closed
  erin buy 1 @ 100                    -> rejected user-frozen
  close #9                            -> rejected user-unknown

U a note of a user has 1 to 1000 characters and changes nothing
  note alice called                   -> accepted
    * none
  note #9 called                      -> rejected user-unknown
  note alice ''                       -> rejected text-invalid field=text

U an operator cancels one order, and its owner reads why
  A: alice buy 1 @ 100
  S: alice stop loss 95 sell 1 @ 94
  B: bob buy 1 @ 100
  others user=alice symbol=BTC-USDT order=A why=slip  -> cancelled A
    * book bid 100: 1
    * alice USDT +100.2 held -100.2 (release)
    * done A operator
  others user=alice symbol=BTC-USDT order=A  -> rejected order-unknown
  others user=alice symbol=BTC-USDT order=B  -> rejected order-unknown
  others user=alice symbol=BTC-USDT order=S  -> cancelled S
    * stop-done S operator
  others user=bob symbol=BTC-USDT order=B  -> cancelled B

U an operator cancels all orders of a user, and all of a symbol
  A: alice buy 1 @ 100
  B: alice buy 2 @ 99
  C: bob buy 1 @ 98
  S: alice stop loss 95 sell 1 @ 94
  others user=alice why=slip          -> cancelled A B S
  order C open remaining 1
  D: alice sell 1 @ 120
  E: carol stop loss 95 sell 1 @ 94
  others symbol=BTC-USDT              -> cancelled
    * stop-done E operator
    * book bid 98: 0
    * bob USDT +98.196 held -98.196 (release)
    * done C operator
    * book ask 120: 0
    * alice BTC +1 held -1 (release)
    * done D operator

U both parts of a pair end when an operator cancels it
  P: alice oco 95/94 sell 1 @ 110
  others user=alice                   -> cancelled P.stop P.limit
  alice cancel all                    -> cancelled

U an operator names whose orders, or of which symbol, and halted markets keep theirs
  A: alice buy 1 @ 100
  others                              -> rejected field-missing field=user
  others user=#9                      -> rejected user-unknown
  others symbol=#9                    -> rejected symbol-unknown
  others user=alice order=A           -> rejected field-missing field=symbol
  others symbol=BTC-USDT order=A      -> rejected field-missing field=user
  state halted
  others user=alice symbol=BTC-USDT order=A  -> rejected market-closed
  others symbol=BTC-USDT              -> rejected market-closed
  others user=alice                   -> cancelled
  order A open remaining 1

M a refused deposit, or one that waits, goes back; nobody answers for it any more
  new user dave
  D: dave deposit 5 BTC travelRule
  return D tx=back                    -> accepted
    * deposit D returned
    * system waiting BTC -5 (deposit)
    * system outside BTC +5 (deposit)
  return D                            -> rejected not-returnable state=returned
  dave questionnaire D                -> rejected questionnaire-closed state=returned
  E: dave deposit 5 BTC travelRule
  Q: dave questionnaire E
  return E                            -> rejected not-returnable state=review
  decide Q fail=odd
  return E                            -> accepted
  F: dave deposit 5 BTC
  return F                            -> rejected not-returnable state=done
  return #99                          -> rejected deposit-unknown
  return E tx=''                      -> rejected text-invalid field=txId

M a credited deposit is reversed once, as far as its money is still there
  new user dave
  D: dave deposit 5 BTC tx=t1
  dave withdraw 1 BTC
  reverse deposit=D                   -> rejected insufficient user=dave account=main
  dave deposit 2 BTC
  C: reverse deposit=D                -> added
    * correction C reverse
    * dave main BTC -5 (correction)
    * system outside BTC +5 (correction)
    * deposit D done
  reverse deposit=D                   -> rejected reversed id=D correction=C
  reverse deposit=#99                 -> rejected deposit-unknown
  reverse                             -> rejected field-missing
  reverse deposit=D correction=C      -> rejected field-missing

M the transaction of a reversed deposit may be reported again, for whom it is
  new user dave
  new user erin
  D: dave deposit 5 BTC tx=t1
  erin deposit 5 BTC tx=t1            -> rejected deposit-conflict
  C: reverse deposit=D                -> added
  dave deposit 5 BTC tx=t1            -> rejected reversed id=D correction=C
  E: erin deposit 5 BTC tx=t1         -> deposit done
  reverse deposit=D                   -> rejected reversed id=D correction=C
  reverse correction=C                -> rejected deposit-conflict
  reverse deposit=E                   -> added
  B: reverse correction=C             -> added
    * correction B reverse
    * dave main BTC +5 (correction)
    * system outside BTC -5 (correction)
    * deposit D done
  erin deposit 5 BTC tx=t1            -> rejected reversed id=E
  erin deposit 6 BTC tx=t1            -> rejected deposit-conflict deposit=D
  dave deposit 5 BTC tx=t1            -> deposit done
  reverse correction=C                -> rejected reversed correction=B

M a deposit that was reversed twice is still not credited by an identical report
  new user dave
  D: dave deposit 5 BTC tx=t1
  C: reverse deposit=D                -> added
  E: dave deposit 6 BTC tx=t1         -> deposit done
  F: reverse deposit=E                -> added
  dave deposit 5 BTC tx=t1            -> rejected reversed id=D correction=C
  dave deposit 6 BTC tx=t1            -> rejected reversed id=E correction=F
  close dave                          -> accepted
  reverse deposit=D                   -> rejected reversed id=D correction=C
  reverse correction=C                -> rejected user-closed user=dave

M a sent withdrawal is reversed with its fee
  new user dave
  dave deposit 5 BTC
  W: dave withdraw 1 BTC
  reverse withdrawal=W                -> rejected not-reversible state=processing
  claim W
  settle W sent
  C: reverse withdrawal=W             -> added
  reverse withdrawal=W                -> rejected reversed correction=C
  reverse withdrawal=#99              -> rejected withdrawal-unknown
  reverse correction=#99              -> rejected correction-unknown

M money moves between accounts of users, fees and suspense
  new user dave
  new user erin
  dave deposit 5 BTC
  C: move 2 BTC from=dave/main to=suspense  -> added
    * correction C move
    * dave main BTC -2 (correction)
    * system suspense BTC +2 (correction)
  move 1 BTC from=suspense to=erin/trade  -> added
  reverse correction=C                -> rejected insufficient user=none account=suspense
  move 3.5 BTC from=dave/main to=fees -> rejected insufficient user=dave account=main
  move 1 BTC from=outside to=fees     -> rejected value-invalid field=from
  move 1 BTC from=dave/spot to=fees   -> rejected value-invalid field=from
  move 1 BTC from=fees to=fees        -> rejected value-invalid field=to
  move 0 BTC from=dave/main to=fees   -> rejected value-invalid field=amount
  move 1 BTC from=#9/main to=fees     -> rejected user-unknown
  move 1 #7 from=dave/main to=fees    -> rejected currency-unknown
  new user mia
  close mia
  move 1 BTC from=dave/main to=mia/main  -> rejected user-closed user=mia

M a move is a multiple of the currency's precision, like every other movement
  new user dave
  dave deposit 5 USDT
  move 1.005 USDT from=dave/main to=suspense
      -> rejected amount-increment value=1.005 increment=0.01 below=1 above=1.01
    * none
  move 0.000001 USDT from=dave/main to=suspense id=m1
      -> rejected amount-increment value=0.000001 increment=0.01 below=0 above=0.01
  dave main USDT 5 + 0 held
  system suspense USDT 0
  move 0.01 USDT from=dave/main to=suspense id=m1  -> added
  dave main USDT 4.99 + 0 held

M the same move with the same id moves once
  new user dave
  dave deposit 5 BTC
  C: move 2 BTC from=dave/main to=suspense id=m1  -> added
  move 2 BTC from=dave/main to=suspense id=m1  -> added
    * none
  move 1 BTC from=dave/main to=suspense id=m1  -> rejected transfer-conflict clientId=m1
  move 2 BTC from=dave/trade to=suspense id=m1  -> rejected transfer-conflict clientId=m1
  move 2 BTC from=dave/main to=fees id=m1  -> rejected transfer-conflict clientId=m1
  move 2 USDT from=dave/main to=suspense id=m1  -> rejected transfer-conflict clientId=m1
  move 2 BTC from=dave/main to=suspense id=m2  -> added
  move 2 BTC from=dave/main to=suspense id=''  -> rejected text-invalid field=clientId

M a limit per day counts what is sent, of the master and its sub-accounts, and starts anew at midnight UTC
  perday 3 BTC user=alice             -> accepted
    * none
  W: alice withdraw 2 BTC             -> added
  alice withdraw 2 BTC                -> rejected withdrawal-limit currency=BTC limit=3 left=1
  alice-sub deposit 5 BTC
  alice-sub withdraw 2 BTC            -> rejected withdrawal-limit left=1
  alice withdraw 1 BTC                -> added
  alice withdraw 1 BTC                -> rejected withdrawal-limit left=0
  alice cancel-withdrawal W
  alice-sub withdraw 2 BTC            -> added
  later 106m
  alice withdraw 1 BTC                -> rejected withdrawal-limit left=0
  later 1m
  alice withdraw 3 BTC                -> added
  later 23h
  alice withdraw 1 BTC                -> rejected withdrawal-limit left=0
  bob withdraw 4 BTC                  -> added
  perday 0 BTC tier=0
  bob withdraw 1 BTC                  -> rejected withdrawal-limit limit=0 left=0
  perday none BTC user=alice
  alice withdraw 1 BTC                -> rejected withdrawal-limit limit=0 left=0
  perday none BTC tier=0
  alice withdraw 1 BTC                -> added
  perday 1 BTC                        -> rejected field-missing field=tier
  perday 1 BTC user=alice tier=0      -> rejected field-missing field=tier
  perday 1 BTC tier=13                -> rejected value-invalid field=tier
  perday -1 BTC tier=1                -> rejected value-invalid field=withdrawalPerDay
  perday 1 BTC user=alice-sub         -> rejected not-a-master
  perday 1 #7 tier=1                  -> rejected currency-unknown
  perday 1 BTC user=#9                -> rejected user-unknown

M an allowed address is an exception to a broader block
  rule block Bad                      -> added
  alice withdraw 1 BTC address=bad    -> rejected address-blocked address=bad
  rule block BAD                      -> rejected code-taken
  rule allow bad currency=BTC         -> added
  alice withdraw 1 BTC address=bad    -> added
  alice withdraw 1 USDT address=bad   -> rejected address-blocked
  rule block bad chain=net            -> added
  alice withdraw 1 BTC address=bad    -> rejected address-blocked
  rule allow bad currency=BTC chain=net  -> added
  alice withdraw 1 BTC address=bad    -> added
  rule remove 4                       -> accepted
  alice withdraw 1 BTC address=bad    -> rejected address-blocked
  rule bar bad                        -> rejected value-invalid field=rule
  rule block '' currency=BTC          -> rejected text-invalid field=address
  rule block bad currency=#7          -> rejected currency-unknown

M a withdrawal is not claimed while its user is frozen or its address is blocked
  W: alice withdraw 1 BTC address=bad -> added
  V: alice withdraw 1 BTC address=bad -> added
  P: alice withdraw 1 BTC address=bad -> added
  claim P                             -> accepted
  freeze alice withdrawals            -> accepted
  claim W                             -> rejected user-frozen user=alice level=withdrawals
  freeze alice all                    -> accepted
  claim W                             -> rejected user-frozen user=alice
  unfreeze alice                      -> accepted
  freeze alice trading                -> accepted
  rule block bad                      -> added
  claim W                             -> rejected address-blocked address=bad
  settle P sent                       -> accepted
  alice cancel-withdrawal W           -> accepted
  rule remove 1                       -> accepted
  claim V                             -> accepted

M a rule is about the account behind an address, however that is written
  rule block raw                      -> added
  alice withdraw 1 BTC address=friendly payee=RAW  -> rejected address-blocked address=friendly
  W: alice withdraw 1 BTC address=friendly payee=other  -> added
  alice withdraw 1 BTC address=raw payee=other  -> added
  rule block other                    -> added
  claim W                             -> rejected address-blocked address=friendly

M a payment goes on from signed to broadcast, and is not given back then
  W: alice withdraw 1 BTC             -> added
  advance W signed                    -> rejected not-claimed
  claim W
  advance W signed                    -> accepted
    * withdrawal W paying
  advance W signed                    -> accepted
    * none
  unclaim W                           -> rejected payment-begun withdrawal=W payment=signed
  advance W broadcast tx=t9           -> accepted
    * withdrawal W paying
  advance W broadcast                 -> accepted
    * none
  advance W signed                    -> rejected payment-begun payment=broadcast
  advance W sent                      -> rejected value-invalid field=state
  advance W broadcast tx=''           -> rejected text-invalid field=txId
  settle W sent tx=t9                 -> accepted
  advance W broadcast                 -> rejected withdrawal-closed
  advance #99 signed                  -> rejected withdrawal-unknown

M a report of the wallets names a currency, a balance and a time that is past
  wallet 5 BTC                        -> accepted
    * none
  wallet -1 BTC                       -> rejected value-invalid field=balance
  wallet 5 BTC at=-1                  -> rejected value-invalid field=at
  wallet 5 BTC at=9999999999999       -> rejected value-invalid field=at
  wallet 5 #7                         -> rejected currency-unknown
`);
