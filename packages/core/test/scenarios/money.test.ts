import { scenarios } from './runner.ts';

scenarios(`
M a deposit is credited to the main account at once
  D: alice deposit 10 USDT            -> deposit done
    * deposit D done
    * system outside USDT -10 (deposit)
    * alice main USDT +10 (deposit)
  alice main USDT 1010 + 0 held
  system outside USDT -44010
  shows deposit D user=alice currency=USDT chain=net amount=10 state=done travelRuleId=0

M the same report again is the same deposit, another under its txId is refused
  D: alice deposit 10 USDT tx=t1      -> deposit done
  alice deposit 10 USDT tx=t1         -> deposit done
    * none
  alice deposit 11 USDT tx=t1         -> rejected deposit-conflict txId=t1 deposit=D
  bob deposit 10 USDT tx=t1           -> rejected deposit-conflict txId=t1 deposit=D
  alice deposit 10 BTC tx=t1          -> rejected deposit-conflict txId=t1 deposit=D
  alice deposit 10 USDT tx=t1 travelRule  -> rejected deposit-conflict txId=t1 deposit=D
  E: alice deposit 10 USDT tx=t2      -> deposit done
  ids D E
  alice main USDT 1020 + 0 held

M what is deposited is checked
  #9 deposit 1 USDT                   -> rejected user-unknown user=#9
  alice deposit 1 #9                  -> rejected currency-unknown currency=#9
  alice deposit 1 USDT chain=moon     -> rejected chain-unknown chain=moon known=net
  alice deposit 1 USDT tx=''          -> rejected text-invalid field=txId lengthMax=128
  alice deposit 10.001 USDT
      -> rejected amount-increment value=10.001 increment=0.01 below=10 above=10.01
  alice deposit 0.001 USDT
      -> rejected amount-increment value=0.001 increment=0.01 below=0 above=0.01
  alice deposit 0 USDT                -> rejected amount-increment value=0 below=0 above=0.01
  alice deposit -1 USDT               -> rejected amount-increment value=-1 below=0 above=0.01
  currency USDT chain.depositMinSize=5
  alice deposit 4.99 USDT             -> rejected amount-below-min value=4.99 min=5
  alice deposit 5 USDT                -> deposit done
  currency USDT chain.isDepositEnabled=false
  alice deposit 5 USDT                -> rejected deposit-disabled currency=USDT chain=net

M all amounts of one currency together are at most 2^100 units
  # 2^100 units are 1267650600228229401496703.205376 USDT, of which 44000 are there
  alice deposit 1267650600228229401452703.21 USDT
      -> rejected amount-above-max value=1267650600228229401452703.21
  alice deposit 1267650600228229401452703.2 USDT   -> deposit done
  bob deposit 0.01 USDT               -> rejected amount-above-max value=0.01
  bob deposit 0.01 BTC                -> deposit done
  new currency UNI precision=6 scale=6
  alice deposit 1267650600228229401496703.205376 UNI  -> deposit done
  alice deposit 0.000001 UNI          -> rejected amount-above-max value=0.000001

M with the Travel Rule money waits, is nobody's, and is credited when the questionnaire is accepted
  D: alice deposit 10 USDT travelRule -> deposit waiting
    * deposit D waiting
    * system outside USDT -10 (deposit)
    * system waiting USDT +10 (deposit)
  ids D D.travelRule
  alice main USDT 1000 + 0 held
  Q: alice questionnaire D type=company info='{"companyName":"x"}'  -> added
    * questionnaire Q pending
  shows questionnaire Q user=alice senderType=company info='{"companyName":"x"}' failureCode=''
  system waiting USDT 10
  decide Q accept                     -> accepted
    * questionnaire Q success
    * deposit D done
    * system waiting USDT -10 (deposit)
    * alice main USDT +10 (deposit)
  alice main USDT 1010 + 0 held
  system waiting USDT 0

M the same report of a deposit that waited is answered with what became of it
  D: alice deposit 10 USDT travelRule tx=t1  -> deposit waiting
  alice deposit 10 USDT travelRule tx=t1     -> deposit waiting
    * none
  Q: alice questionnaire D
  decide Q accept
  alice deposit 10 USDT travelRule tx=t1     -> deposit done
    * none

M a questionnaire that failed may be submitted again
  D: alice deposit 10 USDT travelRule
  Q: alice questionnaire D
  decide Q fail=NAME_MISMATCH         -> accepted
    * questionnaire Q fail
  shows questionnaire Q state=fail failureCode=NAME_MISMATCH
  system waiting USDT 10
  decide Q accept                     -> rejected questionnaire-closed questionnaire=Q state=fail
  R: alice questionnaire D            -> added
  ids D D.travelRule Q R
  decide R accept                     -> accepted
  alice main USDT 1010 + 0 held

M one questionnaire at a time, and none after success
  D: alice deposit 10 USDT travelRule
  Q: alice questionnaire D
  alice questionnaire D               -> rejected questionnaire-closed questionnaire=Q state=pending
  decide Q accept
  decide Q accept                     -> rejected questionnaire-closed questionnaire=Q state=success
  alice questionnaire D               -> rejected questionnaire-closed questionnaire=Q state=success

M questionnaires are checked
  D: alice deposit 10 USDT travelRule
  bob questionnaire D                 -> rejected deposit-unknown
  alice questionnaire #999            -> rejected deposit-unknown travelRuleId=999
  #9 questionnaire D                  -> rejected user-unknown user=#9
  alice questionnaire D type=robot    -> rejected value-invalid field=senderType value=robot
  alice questionnaire D info=''       -> rejected text-invalid field=info lengthMax=10000
  alice questionnaire D type=robot info=''  -> rejected text-invalid field=info
  decide #999 fail=''                 -> rejected text-invalid field=failureCode
  decide #999 accept                  -> rejected questionnaire-unknown questionnaire=#999
  Q: alice questionnaire D
  decide Q fail=''                    -> rejected text-invalid field=failureCode lengthMax=64
  decide Q fail=é                     -> rejected text-invalid field=failureCode

M a transfer within an account is complete when answered
  T: alice transfer 10 USDT from=main to=trade  -> added
    * transfer T
    * alice main USDT -10 (transfer)
    * alice USDT +10 (transfer)
  alice main USDT 990 + 0 held
  alice USDT 10010 + 0 held
  alice transfer 10 USDT from=trade to=main fromUser=alice toUser=alice  -> added
  alice main USDT 1000 + 0 held

M the same transfer again has the first answer, another under its id is refused
  T: alice transfer 10 USDT id=t1     -> added
  alice transfer 10 USDT id=t1        -> added
    * none
  alice transfer 11 USDT id=t1        -> rejected transfer-conflict clientId=t1 transfer=T
  alice transfer 10 BTC id=t1         -> rejected transfer-conflict clientId=t1 transfer=T
  alice transfer 10 USDT id=t1 from=trade to=main  -> rejected transfer-conflict clientId=t1 transfer=T
  alice transfer 10 USDT id=t1 toUser=alice  -> rejected transfer-conflict clientId=t1 transfer=T
  time +29d
  alice transfer 10 USDT id=t1        -> added
    * none
  bob transfer 11 USDT id=t1          -> added
  alice main USDT 990 + 0 held

M a transfer is remembered for its window, and then its id may be used again
  T: alice transfer 10 USDT id=t1     -> added
  time +30d
  U: alice transfer 11 USDT id=t1     -> added
    * transfer U
    * alice main USDT -11 (transfer)
    * alice USDT +11 (transfer)
  limits movementWindow=1h
  time +1h
  alice transfer 12 USDT id=t1        -> added
  alice main USDT 967 + 0 held

M the movements of others refuse nobody: the master with the most loses the oldest
  time +30d
  limits movementsInAll=3
  repeat 9 alice-sub transfer 1 USDT id=t{i} from=trade to=main  -> added
  bob transfer 1 USDT id=t1           -> added
  W: bob withdraw 10 USDT             -> added
  bob transfer 1 USDT id=t1           -> added
    * none
  alice-sub transfer 2 USDT id=t9 from=trade to=main  -> rejected transfer-conflict
  bob cancel-withdrawal W             -> accepted
  bob transfer 2 USDT id=t1           -> rejected transfer-conflict
  alice-sub transfer 1 USDT id=t9 from=trade to=main  -> added
    * none
  bob cancel-withdrawal W             -> rejected withdrawal-closed

M movements of a master and its sub-accounts: the oldest that is over is forgotten early
  time +30d
  limits movements=2
  W: alice withdraw 10 USDT           -> added
  alice transfer 1 USDT id=t1         -> added
  alice-sub transfer 1 USDT id=t1 from=trade to=main  -> added
  alice transfer 2 USDT id=t1         -> rejected transfer-conflict
  alice-sub transfer 1 USDT id=t2 from=trade to=main  -> added
  alice transfer 2 USDT id=t1         -> added
  alice-sub transfer 2 USDT id=t2 from=trade to=main  -> rejected transfer-conflict
  later 1s
  settle W sent                       -> accepted
  settle W sent                       -> rejected withdrawal-closed
  bob transfer 1 USDT id=t1           -> added

M withdrawals that are not over are bounded for a master and its sub-accounts, and for nobody else
  limits movements=2 movementsInAll=1
  alice withdraw 10 USDT              -> added
  W: alice withdraw 10 USDT           -> added
  alice withdraw 10 USDT              -> rejected movements-per-user max=2
  alice-sub withdraw 10 USDT          -> rejected movements-per-user max=2
  alice transfer 1 USDT id=t1         -> added
  bob withdraw 10 USDT                -> added
  bob withdraw 10 USDT                -> added
  settle W failed                     -> accepted
  alice withdraw 10 USDT              -> added

M rules 5, transfers and withdrawals that are remembered are bounded, of one user and of all
  rules 5
  time +30d
  limits movements=2
  alice transfer 1 USDT id=t1         -> added
  W: alice withdraw 10 USDT           -> added
  alice transfer 1 USDT id=t2         -> rejected movements-per-user max=2
  alice withdraw 10 USDT              -> rejected movements-per-user max=2
  alice transfer 1 USDT id=t1         -> added
    * none
  alice transfer 1.001 USDT id=t2     -> rejected amount-increment
  bob transfer 1 USDT id=t1           -> added
  limits movementsInAll=3
  bob transfer 1 USDT id=t2           -> rejected movements-in-all max=3
  alice cancel-withdrawal W           -> accepted
  bob transfer 1 USDT id=t2           -> rejected movements-in-all max=3
  time +29d
  bob transfer 1 USDT id=t2           -> rejected movements-in-all max=3
  time +1d
  bob transfer 1 USDT id=t2           -> added
  alice cancel-withdrawal W           -> rejected withdrawal-unknown

M a withdrawal that is not over is remembered however long that takes
  W: alice withdraw 10 USDT           -> added
  time +365d
  claim W
  settle W sent                       -> accepted
  time +30d
  settle W sent                       -> rejected withdrawal-unknown

M from master to sub-account and back, asked by the master
  T: alice transfer 10 USDT type=parent-to-sub from=main to=trade toUser=alice-sub  -> added
    * transfer T
    * alice main USDT -10 (transfer)
    * alice-sub USDT +10 (transfer)
  shows transfer T user=alice type=parent-to-sub fromUser=alice toUser=alice-sub from=main to=trade
  U: alice transfer 5 USDT type=sub-to-parent from=trade to=trade fromUser=alice-sub  -> added
    * transfer U
    * alice-sub USDT -5 (transfer)
    * alice USDT +5 (transfer)
  shows transfer U fromUser=alice-sub toUser=alice

M transfers between users are checked
  new user alice-two of alice
  alice-sub transfer 1 USDT type=parent-to-sub toUser=alice-two   -> rejected not-a-master user=alice-sub
  alice-sub transfer 1 USDT type=sub-to-parent fromUser=alice-sub -> rejected not-a-master user=alice-sub
  alice transfer 1 USDT type=parent-to-sub                        -> rejected field-missing field=toUser
  alice transfer 1 USDT type=sub-to-parent                        -> rejected field-missing field=fromUser
  alice transfer 1 USDT type=parent-to-sub toUser=bob             -> rejected not-a-sub-account user=bob
  bob transfer 1 USDT type=sub-to-parent fromUser=alice-sub       -> rejected not-a-sub-account user=alice-sub
  alice transfer 1 USDT type=parent-to-sub toUser=alice-sub fromUser=bob  -> rejected not-a-master user=bob
  alice transfer 1 USDT type=sub-to-parent fromUser=alice-sub toUser=bob  -> rejected not-a-master user=bob
  alice transfer 1 USDT toUser=bob                                -> rejected not-a-master user=bob
  alice transfer 1 USDT fromUser=alice-sub                        -> rejected not-a-master user=alice-sub
  alice transfer 1 USDT type=gift
      -> rejected value-invalid field=type value=gift
  alice transfer 1 USDT from=pocket
      -> rejected value-invalid field=from value=pocket
  alice transfer 1 USDT to=pocket
      -> rejected value-invalid field=to value=pocket
  alice transfer 1 USDT from=main to=main                         -> rejected same-account account=main
  alice transfer 1 USDT from=trade to=trade                       -> rejected same-account account=trade
  #9 transfer 1 USDT                                              -> rejected user-unknown user=#9
  alice transfer 1 USDT toUser=#9                                 -> rejected user-unknown user=#9
  alice transfer 1 #9                                             -> rejected currency-unknown currency=#9
  alice-sub transfer 1 USDT from=main to=trade                    -> added

M amounts of transfers: a multiple of the precision, at most what is available
  alice transfer 0.001 USDT
      -> rejected amount-increment value=0.001 increment=0.01 below=0 above=0.01
  alice transfer 0.00001 BTC
      -> rejected amount-increment value=0.00001 increment=0.0001 below=0 above=0.0001
  alice transfer 0 USDT               -> rejected amount-increment value=0
  alice transfer 1000.01 USDT
      -> rejected funds-insufficient user=alice account=main currency=USDT need=1000.01 available=1000
  alice transfer 2000 USDT type=sub-to-parent fromUser=alice-sub
      -> rejected funds-insufficient user=alice-sub account=main need=2000 available=1000
  alice transfer 1000 USDT            -> added
  alice main USDT 0 + 0 held

M without a currency the one with money in the source is meant
  alice transfer 1 USDT unnamed       -> rejected currency-ambiguous currencies=BTC,USDT
  new user dave
  dave transfer 1 USDT unnamed        -> rejected currency-ambiguous currencies=''
  dave deposit 5 USDT
  T: dave transfer 1 USDT unnamed     -> added
  shows transfer T currency=USDT amount=1
  dave USDT 1 + 0 held

M a withdrawal holds amount and fee until it is sent
  # the fee is 1 % of the amount, at least 0.5
  W: alice withdraw 100 USDT address=abc memo=7  -> added
    * withdrawal W processing
    * alice main USDT -101 held +101 (withdrawal-hold)
  shows withdrawal W user=alice currency=USDT chain=net amount=100 fee=1 address=abc memo=7
  alice main USDT 899 + 101 held
  by=ann claim W                      -> accepted
    * withdrawal W paying
  shows withdrawal W state=paying claimedBy=ann
  settle W sent tx=9f3c               -> accepted
    * withdrawal W sent
    * alice main USDT held -101 (withdrawal)
    * system fees USDT +1 (withdrawal)
    * system outside USDT +100 (withdrawal)
  alice main USDT 899 + 0 held
  system outside USDT -43900
  shows withdrawal W state=sent claimedBy=ann txId=9f3c

M what is being paid is neither cancelled nor claimed again, until it is given back
  W: alice withdraw 100 USDT
  settle W sent                       -> rejected not-claimed withdrawal=W
  unclaim W                           -> rejected not-claimed withdrawal=W
  by=ann claim W
  alice cancel-withdrawal W           -> rejected withdrawal-claimed withdrawal=W by=ann
  by=bert claim W                     -> rejected withdrawal-claimed withdrawal=W by=ann
  by=ann claim W                      -> rejected withdrawal-claimed withdrawal=W by=ann
  by=bert settle W failed             -> rejected withdrawal-claimed withdrawal=W by=ann
  by=bert unclaim W                   -> accepted
    * withdrawal W processing
  settle W sent                       -> rejected not-claimed withdrawal=W
  alice main USDT 899 + 101 held
  by=bert claim W                     -> accepted
  by=bert settle W failed reason='account closed' -> accepted
    * withdrawal W failed
    * alice main USDT +101 held -101 (withdrawal-release)
  shows withdrawal W state=failed claimedBy=bert failureReason='account closed'
  claim W                             -> rejected withdrawal-closed withdrawal=W state=failed
  unclaim W                           -> rejected withdrawal-closed withdrawal=W state=failed
  V: alice withdraw 100 USDT
  by=ann claim V
  by=bert unclaim V
  alice cancel-withdrawal V           -> accepted
  claim V                             -> rejected withdrawal-closed withdrawal=V state=cancelled
  claim #999                          -> rejected withdrawal-unknown withdrawal=#999
  unclaim #999                        -> rejected withdrawal-unknown withdrawal=#999

M only a withdrawal that was sent has a transaction, and only another one a reason
  W: alice withdraw 100 USDT
  claim W
  settle W sent noTx                  -> rejected field-missing field=txId because=sent
  settle W sent tx=''                 -> rejected text-invalid field=txId lengthMax=128
  settle W sent reason=no             -> rejected field-not-allowed field=failureReason because=sent
  settle W failed tx=9f3c             -> rejected field-not-allowed field=txId because=not-sent
  settle W sent                       -> accepted

M a withdrawal that failed, or was cancelled, gives everything back
  W: alice withdraw 100 USDT
  settle W failed                     -> accepted
    * withdrawal W failed
    * alice main USDT +101 held -101 (withdrawal-release)
  V: alice withdraw 100 USDT
  alice cancel-withdrawal V           -> accepted
    * withdrawal V cancelled
    * alice main USDT +101 held -101 (withdrawal-release)
  alice main USDT 1000 + 0 held
  system fees USDT 0

M a withdrawal is settled or cancelled once, by its user
  W: alice withdraw 100 USDT
  bob cancel-withdrawal W             -> rejected withdrawal-unknown withdrawal=W
  #9 cancel-withdrawal W              -> rejected user-unknown user=#9
  settle #999 sent                    -> rejected withdrawal-unknown withdrawal=#999
  claim W
  settle W sent
  settle W failed                     -> rejected withdrawal-closed withdrawal=W state=sent
  alice cancel-withdrawal W           -> rejected withdrawal-closed withdrawal=W state=sent
  V: alice withdraw 100 USDT
  alice cancel-withdrawal V
  settle V sent                       -> rejected withdrawal-closed withdrawal=V state=cancelled

M the fee of a withdrawal: rate rounded up, at least the minimum, at most the maximum
  A: alice withdraw 10 USDT
  shows withdrawal A fee=0.5
  currency USDT chain.withdrawMaxFee=0.8
  B: alice withdraw 100 USDT
  shows withdrawal B fee=0.8
  currency USDT chain.withdrawFeeRate=''
  C: alice withdraw 100 USDT
  shows withdrawal C fee=0.5
  currency USDT chain.withdrawalMinFee=0 chain.withdrawFeeRate=0.00000001
  # 33.33 * 0.00000001 = 0.0000003333
  D: alice withdraw 33.33 USDT
  shows withdrawal D fee=0.000001
  currency USDT chain.withdrawalMinFee=0 chain.withdrawFeeRate=''
  F: alice withdraw 33.33 USDT
  shows withdrawal F fee=0
  currency USDT chain.withdrawalMinFee=0 chain.withdrawFeeRate=0
  E: alice withdraw 1 USDT
  claim E
  settle E sent
    * withdrawal E sent
    * alice main USDT held -1 (withdrawal)
    * system outside USDT +1 (withdrawal)

M a fee may come out of the amount: what is left is sent, in steps that can move
  # 1 % of 100
  W: alice withdraw 100 USDT feeIncluded note='to my wallet'  -> added
    * withdrawal W processing
    * alice main USDT -100 held +100 (withdrawal-hold)
  shows withdrawal W amount=99 fee=1 note='to my wallet'
  claim W
  settle W sent
    * withdrawal W sent
    * alice main USDT held -100 (withdrawal)
    * system fees USDT +1 (withdrawal)
    * system outside USDT +99 (withdrawal)
  # 1 % of 77.77 is 0.7777: the fee is rounded up to 0.78
  V: alice withdraw 77.77 USDT feeIncluded
  shows withdrawal V amount=76.99 fee=0.78
  alice cancel-withdrawal V
  alice main USDT 900 + 0 held
  X: alice withdraw 900 USDT feeIncluded
  shows withdrawal X amount=891 fee=9
  settle X failed
  currency USDT chain.withdrawalMinFee=5
  alice withdraw 5 USDT feeIncluded   -> rejected amount-below-min value=5 min=5.01
  Y: alice withdraw 5.01 USDT feeIncluded
  shows withdrawal Y amount=0.01 fee=5
  alice withdraw 0.99 USDT feeIncluded  -> rejected amount-below-min value=0.99 min=1

M withdrawals are checked
  #9 withdraw 10 USDT                 -> rejected user-unknown user=#9
  alice withdraw 10 #9                -> rejected currency-unknown currency=#9
  alice withdraw 10 USDT chain=moon   -> rejected chain-unknown chain=moon known=net
  alice withdraw 10 USDT address=''   -> rejected text-invalid field=address lengthMax=256
  alice withdraw 10 USDT memo=é       -> rejected text-invalid field=memo lengthMax=256
  alice withdraw 10.001 USDT          -> rejected amount-increment value=10.001 below=10 above=10.01
  alice withdraw 0.99 USDT            -> rejected amount-below-min value=0.99 min=1
  alice withdraw 1000 USDT
      -> rejected funds-insufficient user=alice account=main currency=USDT need=1010 available=1000
  alice withdraw 990.1 USDT           -> rejected funds-insufficient need=1000.001 available=1000
  currency USDT chain.withdrawFeeRate=0.25
  alice withdraw 800 USDT             -> added
  alice main USDT 0 + 1000 held
  currency USDT chain.isWithdrawEnabled=false
  alice withdraw 10 USDT              -> rejected withdrawal-disabled currency=USDT chain=net
`);
