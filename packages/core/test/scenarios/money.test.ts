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

M a chain's deposit fee is taken off what is credited, rounded up, and goes to fees
  currency USDT chain.depositFeeRate=0.002
  D: alice deposit 100.01 USDT tx=t1  -> deposit done
    * deposit D done
    * system outside USDT -100.01 (deposit)
    * alice main USDT +99.8 (deposit)
    * system fees USDT +0.21 (deposit)
  shows deposit D amount=100.01 fee=0.21
  alice deposit 100.01 USDT tx=t1     -> deposit done
    * none
  alice main USDT 1099.8 + 0 held
  system fees USDT 0.21
  # No more than all of it: 0.01 is the least there is.
  E: alice deposit 0.01 USDT
    * deposit E done
    * system outside USDT -0.01 (deposit)
    * system fees USDT +0.01 (deposit)
  currency USDT chain.depositFeeRate=''
  F: alice deposit 1 USDT
    * deposit F done
    * system outside USDT -1 (deposit)
    * alice main USDT +1 (deposit)

M a deposit that waits keeps the fee of the rate it was reported under
  currency USDT chain.depositFeeRate=0.01
  D: alice deposit 10 USDT travelRule -> deposit waiting
    * deposit D waiting
    * system outside USDT -10 (deposit)
    * system waiting USDT +10 (deposit)
  currency USDT chain.depositFeeRate=0.5
  Q: alice questionnaire D
  decide Q accept
    * questionnaire Q success
    * deposit D done
    * system waiting USDT -10 (deposit)
    * alice main USDT +9.9 (deposit)
    * system fees USDT +0.1 (deposit)
  system waiting USDT 0

M with the Travel Rule money waits, is nobody's, and is credited when the questionnaire is accepted
  D: alice deposit 10 USDT travelRule -> deposit waiting
    * deposit D waiting
    * system outside USDT -10 (deposit)
    * system waiting USDT +10 (deposit)
  ids D D.travelRule
  alice main USDT 1000 + 0 held
  Q: alice questionnaire D type=company info='{"companyName":"x"}'  -> added
    * questionnaire Q pending
    * deposit D review
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
    * deposit D refused
  shows questionnaire Q state=fail failureCode=NAME_MISMATCH
  shows deposit D state=refused failureCode=NAME_MISMATCH
  system waiting USDT 10
  decide Q accept                     -> rejected questionnaire-closed questionnaire=Q state=fail
  R: alice questionnaire D            -> added
    * questionnaire R pending
    * deposit D review
  ids D D.travelRule Q R
  shows deposit D state=review
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
  claim W                             -> accepted
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
`);
