import { scenarios } from './runner.ts';

scenarios(`
D renaming a symbol changes its name and nothing else
  A: alice sell 2 @ 100
  symbol name=XBT-USDT                -> accepted
    * symbol BTC-USDT open
  shows symbol BTC-USDT code=BTC-USDT name=XBT-USDT base=BTC quote=USDT
  order A open remaining 2
  bob buy 1 @ 100                     -> done filled
  trade 1 @ 100 buy with A

D renaming a currency changes its names and nothing else
  currency BTC name=XBT fullName=Gold -> accepted
    * currency BTC XBT
  shows currency BTC code=BTC name=XBT fullName=Gold precision=4 scale=8 isMarginEnabled=false
  currency BTC isMarginEnabled=true isDebitEnabled=true confirms=3 contractAddress=abc
  shows currency BTC name=XBT isMarginEnabled=true isDebitEnabled=true confirms=3 contractAddress=abc
  currency BTC name=BTC
  shows currency BTC name=BTC fullName=Gold isMarginEnabled=true isDebitEnabled=true confirms=3
  symbol market=DeFi isMarginEnabled=true
  shows symbol BTC-USDT market=DeFi isMarginEnabled=true enableTrading=true name=BTC-USDT
  alice BTC 100 + 0 held

D a new priceIncrement binds new orders, those that rest stay and trade at their price
  A: alice buy 2 @ 100.1
  symbol priceIncrement=1             -> accepted
  order A open remaining 2
  bob buy 1 @ 100.1                   -> rejected price-increment value=100.1 increment=1 below=100 above=101
  bob sell 1 @ 100                    -> done filled, for 100.1
  trade 1 @ 100.1 sell with A
  alice reduce A by 0.5               -> open remaining 0.5
  alice alter A size=1.7              -> rejected price-increment value=100.1 increment=1 below=100 above=101
  B: alice alter A price=101          -> altered open remaining 0.5
  alice cancel B                      -> done requested
  alice USDT 9899.7999 + 0 held

D a finer priceIncrement down to the symbol's unit
  symbol priceIncrement=0.0001        -> accepted
  alice buy 1 @ 100.0001              -> open
  symbol priceIncrement=0.00001
      -> rejected amounts-inexact priceIncrement=0.00001 baseIncrement=0.01 quoteScale=6
  alice buy 1 @ 100.0002              -> open

D a new quoteIncrement binds new market orders
  alice sell 5 @ 100
  bob buy for 10.5 market             -> done filled
  symbol quoteIncrement=1
  bob buy for 10.5 market             -> rejected funds-increment value=10.5 increment=1 below=10 above=11
  bob buy for 11 market               -> done filled, deal 0.1, for 10

D new bounds bind new orders, not those that rest
  A: alice sell 5 @ 100
  symbol baseMinSize=1 baseMaxSize=2 minFunds=150
  order A open remaining 5
  bob buy 5 @ 100                     -> rejected size-above-max value=5 max=2
  bob buy 1 @ 100                     -> rejected min-funds value=100 min=150
  bob buy 2 @ 100                     -> done filled
  bob buy 2 @ 100                     -> done filled
  order A open remaining 1

D a new least size binds an order that meets no other
  alice buy 1 @ 100                   -> open
  symbol baseMinSize=1
  alice buy 0.99 @ 100                -> rejected size-below-min value=0.99 min=1
  alice buy 1 @ 100                   -> open

D the unit of size is that of baseIncrement without trailing zeros, price fills up the quote scale
  shows symbol BTC-USDT sizeDecimals=2 priceDecimals=4
  new symbol BTC-A base=BTC quote=USDT baseIncrement=0.50 baseMinSize=0.5  -> added
  shows symbol BTC-A sizeDecimals=1 priceDecimals=5
  new symbol BTC-B base=BTC quote=USDT baseIncrement=10 baseMinSize=10     -> added
  shows symbol BTC-B sizeDecimals=0 priceDecimals=6 state=open
  new symbol BTC-C base=BTC quote=USDT baseIncrement=0.000001 baseMaxSize=1 priceIncrement=1
      -> added
  shows symbol BTC-C sizeDecimals=6 priceDecimals=0
  alice buy 20 @ 0.1 in BTC-B         -> open
  alice USDT 9997.996 + 2.004 held

D symbols whose amounts could not be exact are refused
  new symbol BTC-A base=BTC quote=USDT baseIncrement=0.0000001 baseMinSize=1 priceIncrement=1
      -> rejected amounts-inexact quoteScale=6
  new symbol BTC-B base=BTC quote=USDT baseIncrement=0.01 priceIncrement=0.00001
      -> rejected amounts-inexact priceIncrement=0.00001 baseIncrement=0.01 quoteScale=6
  new currency LOW precision=0 scale=1
  new symbol LOW-USDT baseIncrement=0.01  -> rejected amounts-inexact baseIncrement=0.01
  new symbol LOW-USDT baseIncrement=0.1 baseMinSize=0.1  -> added

D symbols are checked
  new symbol BTC-A base=#9 quote=USDT -> rejected currency-unknown currency=#9
  new symbol BTC-A base=BTC quote=#8  -> rejected currency-unknown currency=#8
  new symbol 'BTC A' base=BTC quote=USDT  -> rejected text-invalid field=code
  new symbol BTC-A base=BTC quote=USDT name=''  -> rejected text-invalid field=name
  new symbol BTC-A base=BTC quote=USDT market=''  -> rejected text-invalid field=market
  new symbol BTC-A base=BTC quote=BTC -> rejected value-invalid field=quote
  new symbol BTC-USDT                 -> rejected code-taken taken=BTC-USDT
  new symbol BTC-USDT priceIncrement=0  -> rejected value-invalid field=priceIncrement
  new symbol BTC-USDT priceIncrement=0.00001  -> rejected code-taken taken=BTC-USDT
  symbol #7 name=x                    -> rejected symbol-unknown symbol=#7

D decimals are digits with at most one point, without sign and exponent
  symbol baseMinSize=1e1              -> rejected value-invalid field=baseMinSize value=1e1
  symbol baseMaxSize=-5               -> rejected value-invalid field=baseMaxSize value=-5
  symbol quoteMinSize=.5              -> rejected value-invalid field=quoteMinSize value=.5
  symbol quoteMaxSize=5.              -> rejected value-invalid field=quoteMaxSize value=5.
  symbol quoteIncrement=''            -> rejected value-invalid field=quoteIncrement
  symbol priceIncrement=+1            -> rejected value-invalid field=priceIncrement value=+1
  symbol priceLimitRate=1,0           -> rejected value-invalid field=priceLimitRate
  symbol minFunds=1.0.0               -> rejected value-invalid field=minFunds
  new symbol BTC-A base=BTC quote=USDT baseIncrement=x  -> rejected value-invalid field=baseIncrement value=x

D values that do not fit are refused
  symbol priceIncrement=0             -> rejected value-invalid field=priceIncrement
  symbol quoteIncrement=0             -> rejected value-invalid field=quoteIncrement
  symbol quoteIncrement=0.0000001     -> rejected value-invalid field=quoteIncrement
  symbol baseMinSize=0                -> rejected value-invalid field=baseMinSize
  symbol baseMinSize=0.015            -> rejected value-invalid field=baseMinSize
  symbol baseMinSize=5 baseMaxSize=4  -> rejected value-invalid field=baseMaxSize
  symbol baseMaxSize=4.005            -> rejected value-invalid field=baseMaxSize
  symbol baseMaxSize=11258999068426.24  -> rejected value-invalid field=baseMaxSize
  symbol quoteMinSize=0.0000001       -> rejected value-invalid field=quoteMinSize
  symbol quoteMinSize=5 quoteMaxSize=4  -> rejected value-invalid field=quoteMaxSize
  symbol minFunds=0.0000001           -> rejected value-invalid field=minFunds
  symbol priceLimitRate=0.0000001     -> rejected value-invalid field=priceLimitRate
  symbol priceLimitRate=1000.1        -> rejected value-invalid field=priceLimitRate
  new symbol BTC-A base=BTC quote=USDT baseIncrement=0  -> rejected value-invalid field=baseIncrement
  new symbol BTC-A base=BTC quote=USDT baseIncrement=1125899906842624
      -> rejected value-invalid field=baseIncrement
  symbol priceIncrement=112589990684.2624  -> rejected value-invalid field=priceIncrement
  # 2^100 units are too much, one less is not
  symbol quoteMaxSize=1267650600228229401496703.205376  -> rejected value-invalid field=quoteMaxSize
  symbol minFunds=1267650600228229401496703.205376  -> rejected value-invalid field=minFunds
  symbol quoteMinSize=1267650600228229401496703.205376  -> rejected value-invalid field=quoteMinSize
  symbol quoteMaxSize=1267650600228229401496703.205375  -> accepted
  symbol minFunds=1267650600228229401496703.205375  -> accepted
  symbol baseMinSize=5 baseMaxSize=5 quoteMinSize=5 quoteMaxSize=5  -> accepted
  symbol baseMaxSize=11258999068426.23 priceLimitRate=1000  -> accepted
  shows symbol BTC-USDT baseMaxSize=11258999068426.23 priceIncrement=0.1

D currencies are added and checked
  new currency XRP precision=2 scale=6 -> added
    * currency XRP XRP
  new currency XRP                    -> rejected code-taken taken=XRP
  new currency XRP precision=19       -> rejected value-invalid field=precision
  new currency 'X Y'                  -> rejected text-invalid field=code lengthMax=20
  new currency XYZ name=''            -> rejected text-invalid field=name lengthMax=64
  new currency XYZ fullName=é         -> rejected text-invalid field=fullName
  new currency XYZ precision=19       -> rejected value-invalid field=precision
  new currency XYZ precision=6 scale=5  -> rejected value-invalid field=scale
  new currency XYZ scale=19           -> rejected value-invalid field=scale
  new currency XYZ scale=6 chain.withdrawalMinSize=x  -> rejected value-invalid
  new currency XYZ scale=6 chain.depositMinSize=0.0000001  -> rejected value-invalid
  new currency XYZ scale=6 chain.depositMinSize=''  -> rejected value-invalid
  new currency XYZ scale=6 chain.withdrawalMinSize=''  -> rejected value-invalid
  new currency XYZ scale=6 chain.withdrawalMinFee=''  -> rejected value-invalid
  new currency XYZ scale=6 chain.withdrawFeeRate=0.000000001  -> rejected value-invalid
  currency #9 name=x                  -> rejected currency-unknown currency=#9

D a symbol may begin in any state, and is open where none is named
  new symbol BTC-A base=BTC quote=USDT state=halted  -> added
    * symbol BTC-A halted
  alice buy 1 @ 100 in BTC-A          -> rejected market-closed symbol=BTC-A state=halted
  state open in BTC-A
  alice buy 1 @ 100 in BTC-A          -> open
  new symbol BTC-B base=BTC quote=USDT state=asleep  -> rejected value-invalid field=state value=asleep
  new symbol BTC-B base=BTC quote=USDT  -> added
    * symbol BTC-B open

D a symbol goes while nothing was traded, shown or waits in it, with its fee rules; its code is free again
  new symbol BTC-A base=BTC quote=USDT
  fees maker=0 taker=0.5 user=alice symbol=BTC-A
  fees maker=0 taker=0.4 symbol=BTC-A
  A: alice buy 1 @ 100 hidden in BTC-A
  remove symbol BTC-A                 -> rejected code-in-use used=BTC-A by=orders
  alice cancel A in BTC-A
  S: alice stop loss 95 sell 1 @ 94 in BTC-A
  remove symbol BTC-A                 -> rejected code-in-use used=BTC-A by=orders
  alice cancel-stop S in BTC-A
  remove symbol BTC-A                 -> accepted
    * fees-removed none #2
    * fees-removed alice #2
    * symbol-removed BTC-A
  remove symbol #2                    -> rejected symbol-unknown symbol=#2
  alice buy 1 @ 100 in #2             -> rejected symbol-unknown symbol=#2
  alice cancel id=x in #2             -> rejected symbol-unknown symbol=#2
  alice switch 10 in #2               -> rejected symbol-unknown symbol=#2
  fees symbol=#2                      -> rejected symbol-unknown symbol=#2
  symbol #2 name=x                    -> rejected symbol-unknown symbol=#2
  new symbol BTC-A base=BTC quote=USDT  -> added
    * symbol BTC-A open
  alice buy 1 @ 100 in BTC-A          -> open
  alice cancel all in BTC-A
  remove symbol BTC-A                 -> rejected code-in-use used=BTC-A by=orders
  remove symbol BTC-USDT              -> accepted

D a currency goes while no symbol, account or address has it; its code is free again
  new currency XRP                    -> added
  new symbol XRP-USDT
  remove currency XRP                 -> rejected code-in-use used=XRP by=symbols
  remove symbol XRP-USDT
  alice address XRP here
  remove currency XRP                 -> rejected code-in-use used=XRP by=addresses
  new currency EOS
  remove currency EOS                 -> accepted
    * currency-removed EOS
  remove currency #4                  -> rejected currency-unknown currency=#4
  alice deposit 1 #4                  -> rejected currency-unknown currency=#4
  new symbol EOS-USDT base=#4 quote=USDT  -> rejected currency-unknown currency=#4
  new currency EOS                    -> added
  alice deposit 1 EOS                 -> deposit done
  remove currency EOS                 -> rejected code-in-use used=EOS by=accounts

D a fee rule goes, and the next special one counts
  fees maker=0.01 taker=0.02 user=alice
  fees maker=0.03 taker=0.04 user=alice symbol=BTC-USDT
  remove fees user=alice symbol=BTC-USDT  -> accepted
    * fees-removed alice BTC-USDT
  A: alice buy 1 @ 100
  shows order A takerRate=2000000
  remove fees user=alice              -> accepted
  B: alice buy 1 @ 100
  shows order B takerRate=200000
  remove fees                         -> accepted
    * fees-removed none all
  C: alice buy 1 @ 100
  shows order C takerRate=100000
  remove fees                         -> rejected fee-rule-unknown
  remove fees user=#9                 -> rejected user-unknown user=#9
  remove fees symbol=#9               -> rejected symbol-unknown symbol=#9

D the market states: open, cancel-only, halted
  A: alice buy 1 @ 100
  state cancel-only                   -> accepted
    * symbol BTC-USDT cancel-only
  bob sell 1 @ 100                    -> rejected market-closed symbol=BTC-USDT state=cancel-only
  bob sell 1 market                   -> rejected market-closed symbol=BTC-USDT state=cancel-only
  bob test sell 1 @ 100               -> rejected market-closed
  state halted
  bob sell 1 @ 100                    -> rejected market-closed symbol=BTC-USDT state=halted
  alice cancel A                      -> rejected market-closed symbol=BTC-USDT state=halted
  bob sell 1 @ 100 in ETH-USDT        -> open
  state open
  bob sell 1 @ 100                    -> done filled
  trade 1 @ 100 sell with A
  state asleep                        -> rejected value-invalid field=state value=asleep
  state open in #7                    -> rejected symbol-unknown symbol=#7

D enableTrading=false is closed for new orders only
  A: alice buy 1 @ 100
  symbol enableTrading=false
  bob sell 1 @ 100                    -> rejected market-closed symbol=BTC-USDT state=halted
  alice cancel A                      -> done requested
  symbol enableTrading=true
  bob sell 1 @ 100                    -> open

D fee rates are decimals of at most 8 places, at most 1
  fees maker=x taker=0.1              -> rejected value-invalid field=maker value=x
  fees maker=0.1 taker=1.1            -> rejected value-invalid field=taker value=1.1
  fees maker=0.000000001 taker=0.1    -> rejected value-invalid field=maker
  fees maker=0 taker=0 user=#9        -> rejected user-unknown user=#9
  fees maker=0 taker=0 symbol=#7      -> rejected symbol-unknown symbol=#7
  fees maker=0.00000001 taker=1       -> accepted
    * fees none all 0.00000001 1

D users and sub-accounts
  new user dave                       -> added
    * user dave
  new user dave-sub of dave           -> added
  shows user dave parent=none
  shows user dave-sub parent=dave
  new user dave                       -> rejected code-taken taken=dave
  new user dave of dave-sub           -> rejected code-taken taken=dave
  new user x of alice-sub             -> rejected not-a-master user=alice-sub
  new user x of dave-sub              -> rejected not-a-master user=dave-sub
  new user x of #99                   -> rejected user-unknown user=#99
  new user ''                         -> rejected text-invalid field=name lengthMax=64

D keys
  key add k1 user=alice version=3 permissions=general,spot ips=10.0.0.1 secret=s  -> accepted
    * key k1
  shows key k1 user=alice version=3 permissions=general,spot ipAllowList=10.0.0.1
  key add k1 user=bob                 -> rejected key-taken key=k1
  key add k2 user=#9                  -> rejected user-unknown user=#9
  key add k_2                         -> rejected text-invalid field=key lengthMax=64
  key add k2 secret=''                -> rejected text-invalid field=secret lengthMax=1024
  key add k2 ips=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21
      -> rejected value-invalid field=ipAllowList
  key add k3 ips=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20     -> accepted
  key add k2 version=1                -> rejected value-invalid field=version
  key add k2 permissions=fly          -> rejected value-invalid field=permissions
  key change k1 permissions=withdrawal,flex-transfers  -> accepted
    * key k1
  shows key k1 permissions=withdrawal,flex-transfers ipAllowList=10.0.0.1 version=3
  key change k1 ips=10.0.0.2,10.0.0.3 -> accepted
  shows key k1 permissions=withdrawal,flex-transfers ipAllowList=10.0.0.2,10.0.0.3
  key change k1 note='the bot'        -> accepted
  shows key k1 note='the bot' permissions=withdrawal,flex-transfers
  key change k1 ips=10.0.0.4
  shows key k1 note='the bot' ipAllowList=10.0.0.4
  key change k1 ips=é                 -> rejected value-invalid field=ipAllowList
  key change k9 permissions=spot      -> rejected key-unknown key=k9
  key change k1 permissions=fly       -> rejected value-invalid field=permissions
  key remove k1                       -> accepted
    * key-removed k1
  key remove k1                       -> rejected key-unknown key=k1
`);
