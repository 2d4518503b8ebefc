import { scenarios } from './runner.ts';

scenarios(`
R1 a limit order needs a price and a size, and takes no funds
  alice buy limit size=5              -> rejected field-missing field=price
  alice buy limit price=100           -> rejected field-missing field=size
  alice buy limit                     -> rejected field-missing field=price
  alice buy limit for 500             -> rejected field-missing field=price
  alice buy 5 @ 100 for 500           -> rejected field-not-allowed field=funds
  alice buy 5 @ 100                   -> open size 5, deal 0, remaining 5

R1 price is a positive multiple of priceIncrement
  alice buy 5 @ 100.05
      -> rejected price-increment value=100.05 increment=0.1 below=100 above=100.1
  alice sell 5 @ 100.05
      -> rejected price-increment value=100.05 increment=0.1 below=100 above=100.1
  alice buy 5 @ 0.05                  -> rejected price-increment value=0.05 increment=0.1 below=0 above=0.1
  alice buy 5 @ 0                     -> rejected price-increment value=0 increment=0.1 below=0 above=0.1
  alice buy 5 @ -1                    -> rejected price-increment value=-1 increment=0.1 below=0 above=0.1
  alice buy 5 @ 100.00005             -> rejected price-increment increment=0.1 below=100 above=100.1
  alice buy 5 @ 100.1                 -> open

R1 price is below 2^50 units
  alice buy 0.01 @ 112589990684.3     -> rejected price-above-max value=112589990684.3 max=112589990684.2623
  alice buy 0.01 @ 112589990684.2     -> rejected funds-insufficient need=1128151706.655684 available=10000
  alice sell 0.01 @ 112589990684.2    -> open
  symbol priceIncrement=0.0001
  alice sell 0.01 @ 112589990684.2624 -> rejected price-above-max value=112589990684.2624
  alice sell 0.01 @ 112589990684.2623 -> open

R2 size is a positive multiple of baseIncrement
  alice buy 5.005 @ 100               -> rejected size-increment increment=0.01 below=5 above=5.01
  alice buy 0 @ 100                   -> rejected size-increment value=0 increment=0.01 below=0 above=0.01
  alice buy -3 @ 100                  -> rejected size-increment value=-3 increment=0.01 below=0 above=0.01
  alice sell 0.005 market             -> rejected size-increment increment=0.01 below=0 above=0.01
  alice buy 5.01 @ 100                -> open

R2 an increment that is no power of ten
  new symbol BTC-X base=BTC quote=USDT baseIncrement=0.05 baseMinSize=0.05
  alice buy 0.12 @ 100 in BTC-X
      -> rejected size-increment value=0.12 increment=0.05 below=0.1 above=0.15
  alice buy 0.04 @ 100 in BTC-X       -> rejected size-increment value=0.04 increment=0.05 below=0 above=0.05
  alice buy 0.15 @ 100 in BTC-X       -> open

R2 size lies between baseMinSize and baseMaxSize
  symbol baseMinSize=1 baseMaxSize=10
  alice buy 0.99 @ 100                -> rejected size-below-min value=0.99 min=1
  alice buy 10.01 @ 100               -> rejected size-above-max value=10.01 max=10
  alice sell 0.99 market              -> rejected size-below-min value=0.99 min=1
  alice sell 10.01 market             -> rejected size-above-max value=10.01 max=10
  alice buy 1 @ 100                   -> open
  alice buy 10 @ 100                  -> open

R2 a side of the book stays below 2^53 units
  alice deposit 10000000000 USDT
  alice transfer 10000000000 USDT
  symbol baseMaxSize=11258999068426.23 priceIncrement=0.0001
  repeat 8 alice buy 11258999068426.23 @ 0.0001  -> open
  # 8 * (2^50 - 1) = 2^53 - 8
  book bids 0.0001: 90071992547409.84
  alice buy 0.08 @ 0.0002             -> rejected size-above-max value=0.08 max=0.07
  alice buy 0.08 @ 0.0002 IOC         -> done ioc
  alice sell 0.08 @ 0.0003            -> open
  A: alice buy 0.07 @ 0.0002          -> open
  alice alter A size=0.08             -> rejected size-above-max value=0.08 max=0.07
  alice alter A price=0.0001 size=0.07  -> altered open

R3 market funds are a multiple of quoteIncrement between quoteMinSize and quoteMaxSize
  symbol quoteIncrement=5 quoteMinSize=10 quoteMaxSize=100
  alice buy for 12 market             -> rejected funds-increment value=12 increment=5 below=10 above=15
  alice buy for 3 market              -> rejected funds-increment value=3 increment=5 below=0 above=5
  alice buy for 0 market              -> rejected funds-increment value=0 increment=5 below=0 above=5
  alice buy for -5 market             -> rejected funds-increment value=-5 increment=5 below=0 above=5
  alice buy for 5 market              -> rejected funds-below-min value=5 min=10
  alice buy for 105 market            -> rejected funds-above-max value=105 max=100
  alice sell for 105 market           -> rejected funds-above-max value=105 max=100
  alice buy for 10 market             -> done book-end
  alice sell for 100 market           -> done book-end

R4 a market order carries exactly one of size and funds
  alice buy market                    -> rejected field-missing field=size
  alice buy 5 for 100 market          -> rejected field-not-allowed field=funds
  alice buy 5 market                  -> done book-end deal 0, cancelled 5, remaining 0
  alice buy for 100 market            -> done book-end deal 0, back 100, cancelled 0

R4 a market order takes no timeInForce and no other field of a limit order
  alice buy 5 market price=100        -> rejected field-not-allowed field=price
  alice buy 5 market GTC              -> rejected field-not-allowed field=timeInForce
  alice buy 5 market IOC              -> rejected field-not-allowed field=timeInForce
  alice buy 5 market after=5          -> rejected field-not-allowed field=cancelAfterSec
  alice buy 5 market postOnly         -> rejected field-not-allowed field=postOnly
  alice buy 5 market hidden           -> rejected field-not-allowed field=hidden
  alice buy 5 market iceberg          -> rejected field-not-allowed field=iceberg
  alice buy 5 market visible=1        -> rejected field-not-allowed field=visibleSize
  alice buy 5 market stp=DC           -> rejected field-not-allowed field=stp
  alice buy 5 market stp=DC for 100   -> rejected field-not-allowed field=stp
  alice buy market IOC                -> rejected field-missing field=size
  alice buy 5 market IOC price=100    -> rejected field-not-allowed field=price
  A: alice buy 5 market postOnly=false hidden=false iceberg=false  -> done book-end
  shows order A timeInForce=GTC

R5 a limit order is worth at least minFunds
  symbol minFunds=10
  alice buy 0.09 @ 100                -> rejected min-funds value=9 min=10
  alice sell 0.09 @ 100               -> rejected min-funds value=9 min=10
  alice buy 0.1 @ 100                 -> open
  bob sell 0.1 @ 101                  -> open

R5 a market buy by funds is worth at least minFunds
  symbol minFunds=10
  alice buy for 9.99 market           -> rejected min-funds value=9.99 min=10
  alice buy for 10 market             -> done book-end

R5 a market order by size is worth at least minFunds at the last price
  symbol minFunds=10
  bob buy 1 @ 100
  alice sell 1 @ 100                  -> done filled
  bob buy 1 @ 50
  carol sell 1 @ 200
  alice sell 0.09 market              -> rejected min-funds value=9 min=10
  alice buy 0.09 market               -> rejected min-funds value=9 min=10
  alice sell 0.1 market               -> done filled, deal 0.1, for 5
  # now the last price is 50
  alice sell 0.19 market              -> rejected min-funds value=9.5 min=10
  alice buy 0.2 market                -> done filled, deal 0.2, for 40

R5 before the first trade the best opposite price counts, visible or hidden
  symbol minFunds=10
  alice sell 0.01 market              -> done book-end
  bob buy 1 @ 90
  carol buy 1 @ 100 hidden
  alice sell 0.09 market              -> rejected min-funds value=9 min=10
  alice sell 0.1 market               -> done filled, for 10

R5 a sell by funds is worth its funds
  symbol minFunds=10
  alice sell for 9.99 market          -> rejected min-funds value=9.99 min=10

R1+R2+R4+R5 the first rule that is broken is the answer
  symbol minFunds=10
  limits perSymbol=1 perUser=1
  #9 buy 5 @ 100.05 in #7             -> rejected user-unknown user=#9
  alice buy 5 @ 100.05 in #7 id=a!    -> rejected symbol-unknown symbol=#7
  alice buy 5 @ 100 id=a! tags=é      -> rejected text-invalid field=clientId
  alice buy 5 @ 100 tags=é remark=é   -> rejected text-invalid field=tags
  alice buy 5 @ 100 remark=é side=up  -> rejected text-invalid field=remark
  alice buy limit side=up type=stop   -> rejected value-invalid field=side value=up
  alice buy limit type=stop tif=DAY   -> rejected value-invalid field=type value=stop
  alice buy limit tif=DAY stp=XX      -> rejected value-invalid field=timeInForce value=DAY
  alice buy limit stp=XX after=0      -> rejected value-invalid field=stp value=XX
  alice buy limit after=0             -> rejected value-invalid field=cancelAfterSec
  A: alice buy 1 @ 100 id=mine
  alice buy 5 id=mine                 -> rejected field-missing field=price
  alice buy 5 @ 100 for 5 GTT         -> rejected field-missing field=cancelAfterSec
  alice buy 5 @ 100 for 5 iceberg     -> rejected field-missing field=visibleSize
  alice buy 5 @ 100 for 5 after=5     -> rejected field-not-allowed field=funds
  alice buy 5 @ 100 after=5 visible=1 -> rejected field-not-allowed field=cancelAfterSec
  alice buy 5 @ 100 id=mine after=5   -> rejected field-not-allowed field=cancelAfterSec
  state cancel-only
  alice buy 5 @ 100.05 id=mine        -> rejected client-id-used clientId=mine order=A
  alice buy 5 @ 100.05                -> rejected market-closed symbol=BTC-USDT state=cancel-only
  state open
  alice buy 0.005 @ 100.05            -> rejected price-increment
  alice buy 0.005 @ 100               -> rejected size-increment
  alice buy 0.02 @ 100 iceberg visible=1  -> rejected visible-size
  alice buy 0.02 @ 100                -> rejected min-funds
  alice buy 100 @ 1000                -> rejected orders-per-symbol max=1
  alice buy 100 @ 1000 in ETH-USDT    -> rejected orders-per-user max=1
  bob buy 100 @ 1000                  -> rejected funds-insufficient

S1 ids follow one another; what is refused takes none
  A: alice buy 1 @ 100
  alice buy 1 @ 100.05                -> rejected price-increment
  alice test buy 1 @ 100              -> accepted
  B: alice buy 1 market               -> done book-end
  alice cancel B                      -> rejected order-unknown
  C: bob sell 1 @ 100                 -> done filled
  S: bob stop loss 90 sell 1 @ 90     -> added
  D: bob deposit 1 USDT travelRule    -> deposit waiting
  Q: bob questionnaire D              -> added
  ids A B C S D D.travelRule Q
`);
