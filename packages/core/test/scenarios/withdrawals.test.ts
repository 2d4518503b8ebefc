import { scenarios } from './runner.ts';

scenarios(`
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
