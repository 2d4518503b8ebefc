import { scenarios } from './runner.ts';

scenarios(`
R6 a limit buy holds price times size and the taker fee on it
  A: alice buy 5 @ 100
  alice USDT 9499 + 501 held
  order A open holds 501

R6 fees on funds of 2^74 units and more are rounded up like all others
  symbol priceIncrement=0.0001 baseMaxSize=1000000000
  alice deposit 20040000001022040.01 USDT
  alice transfer 20040000001022040.01 USDT
  bob deposit 200000000.01 BTC
  bob transfer 200000000.01 BTC
  A: bob sell 200000000.01 @ 100000000.0001
  B: alice buy 200000000.01 @ 100000000.0001  -> done filled, for 20000000001020000.000001
  trade 200000000.01 @ 100000000.0001 buy with A, fees 40000000002040.000001/20000000001020.000001
  alice USDT 10000.009998 + 0 held
  system fees USDT 60000000003060.000002

R6 a limit sell holds the size
  A: alice sell 5 @ 100
  alice BTC 95 + 5 held
  order A open holds 5

R6 the last unit of money can be used, not one more
  # 99.8 * 100 * 1.002 = 9999.96
  alice buy 99.81 @ 100               -> rejected funds-insufficient need=10000.962 available=10000
  alice buy 99.8 @ 100                -> open
  alice USDT 0.04 + 9999.96 held

R6 a maker fill releases the difference to the taker fee
  A: alice buy 5 @ 100
  bob sell 5 @ 100
  alice USDT 9499.5 + 0 held
  order A done filled fee 0.5

R6 a market buy by funds holds the funds, the fee inside
  A: alice sell 5 @ 100
  B: bob buy for 100.2 market
      -> done filled, funds 100.2, deal 1, for 100, back 0, remaining 0, cancelled 0
    * received B
    * bob USDT -100.2 held +100.2 (hold)
    * trade 1 @ 100 buy
    * bob USDT held -100.2 (trade)
    * bob BTC +1 (trade)
    * alice BTC held -1 (trade)
    * alice USDT +99.9 (trade)
    * system fees USDT +0.3 (trade)
    * book ask 100: 4
    * done B filled

R6 a market buy by funds buys what the funds can pay with the fee, and gives the crumbs back
  A: alice sell 5 @ 100
  # 100 / 1.002 = 99.80..., so 0.99 for 99 and a fee of 0.198
  B: bob buy for 100 market           -> done filled, deal 0.99, for 99, back 0
    * received B
    * bob USDT -100 held +100 (hold)
    * trade 0.99 @ 100 buy
    * bob USDT held -99.198 (trade)
    * bob BTC +0.99 (trade)
    * alice BTC held -0.99 (trade)
    * alice USDT +98.901 (trade)
    * system fees USDT +0.297 (trade)
    * book ask 100: 4.01
    * bob USDT +0.802 held -0.802 (release)
    * done B filled
  bob USDT 9900.802 + 0 held

R6 a market buy by funds too small for one increment at the next price buys nothing
  alice sell 5 @ 100
  bob buy for 1 market                -> done funds-end, deal 0, for 0, back 1
  no trade
  bob USDT 10000 + 0 held

R6 funds used to the last unit are filled, also where the book ends with them
  alice sell 1 @ 100
  bob buy for 100.2 market            -> done filled, deal 1, for 100, back 0
  alice buy 1 @ 100
  bob sell for 100 market             -> done filled, deal 1, for 100, back 0

R6 where the book ends before the funds, what is left comes back
  alice sell 0.99 @ 100
  bob buy for 100 market              -> done book-end, deal 0.99, for 99, back 0.802
  alice buy 1 @ 100
  bob sell for 100.5 market           -> done book-end, deal 1, for 100, back 0.5

R6 a market sell by funds below one increment at the next price sells nothing
  alice buy 5 @ 100
  bob sell for 0.5 market             -> done funds-end, deal 0, for 0, back 0.5
  bob BTC 100 + 0 held

R6 a market buy by size holds all that is available, for as long as it takes
  A: alice sell 1 @ 100
  B: bob buy 1 market                 -> done filled, deal 1, for 100
    * received B
    * bob USDT -10000 held +10000 (hold)
    * trade 1 @ 100 buy
    * bob USDT held -100.2 (trade)
    * bob BTC +1 (trade)
    * alice BTC held -1 (trade)
    * alice USDT +99.9 (trade)
    * system fees USDT +0.3 (trade)
    * book ask 100: 0
    * done A filled
    * bob USDT +9899.8 held -9899.8 (release)
    * done B filled

R6 a market buy by size spends at most what is available
  alice sell 5 @ 100
  new user dave
  dave deposit 100 USDT
  dave transfer 100 USDT from=main to=trade
  dave buy 2 market                   -> done funds-end, deal 0.99, for 99, cancelled 1.01
  dave USDT 0.802 + 0 held  BTC 0.99 + 0 held

R6 without any money a market buy by size is refused
  new user dave
  dave buy 1 market
      -> rejected funds-insufficient user=dave account=trade currency=USDT need=0.000001 available=0
  dave sell for 10 market
      -> rejected funds-insufficient user=dave account=trade currency=BTC need=0.00000001 available=0

R6 a market sell by size holds the size
  alice buy 5 @ 100
  B: bob sell 2 market                -> done filled, deal 2, for 200
    * received B
    * bob BTC -2 held +2 (hold)
    * trade 2 @ 100 sell
    * alice USDT +0.2 held -200.4 (trade)
    * alice BTC +2 (trade)
    * bob BTC held -2 (trade)
    * bob USDT +199.6 (trade)
    * system fees USDT +0.6 (trade)
    * book bid 100: 3
    * done B filled

R6 a market sell by funds holds all of the base currency and sells until the proceeds reach the funds
  alice buy 5 @ 100
  B: bob sell for 150 market          -> done filled, funds 150, deal 1.5, for 150, back 0
    * received B
    * bob BTC -100 held +100 (hold)
    * trade 1.5 @ 100 sell
    * alice USDT +0.15 held -150.3 (trade)
    * alice BTC +1.5 (trade)
    * bob BTC held -1.5 (trade)
    * bob USDT +149.7 (trade)
    * system fees USDT +0.45 (trade)
    * book bid 100: 3.5
    * bob BTC +98.5 held -98.5 (release)
    * done B filled
  bob sell for 150.5 market           -> done filled, deal 1.5, for 150

R6 a market sell by funds sells at most what is available
  alice buy 5 @ 100
  new user dave
  dave deposit 1 BTC
  dave transfer 1 BTC from=main to=trade
  dave sell for 150 market            -> done funds-end, deal 1, for 100, back 50
  dave BTC 0 + 0 held  USDT 99.8 + 0 held

R6 fees are rounded up once over all fills of an order, not with every fill
  fees maker=0.0015 taker=0.0015
  # one fill of 0.01 at 0.1 is 1000 units of money, the fee 1.5 units
  A: alice sell 0.03 @ 0.1
  bob buy 0.01 @ 0.1
  trade 0.01 @ 0.1 buy with A, fees 0.000002/0.000002
  bob buy 0.01 @ 0.1
  trade 0.01 @ 0.1 buy with A, fees 0.000002/0.000001
  bob buy 0.01 @ 0.1
  trade 0.01 @ 0.1 buy with A, fees 0.000002/0.000002
  order A done filled fee 0.000005

R6 the smallest part of a unit is rounded up
  # 0.17 * 588.2353 is 100000001 units of money, the fee 1.00000001 units
  symbol priceIncrement=0.0001
  fees maker=0.00000001 taker=0.00000001
  alice sell 0.17 @ 588.2353
  bob buy 0.17 @ 588.2353
  trade 0.17 @ 588.2353 buy fees 0.000002/0.000002

R6 a buy never pays more than it held, to the last unit
  fees maker=0.0015 taker=0.0015
  A: alice buy 0.03 @ 0.1
  order A open holds 0.003005
  bob sell 0.01 @ 0.1
  trade 0.01 @ 0.1 sell fees 0.000002/0.000002
  order A open holds 0.002003 fee 0.000002
  bob sell 0.01 @ 0.1
  trade 0.01 @ 0.1 sell fees 0.000002/0.000001
  order A open holds 0.001002 fee 0.000003
  bob sell 0.01 @ 0.1
  order A done filled fee 0.000005
  alice USDT 9999.996995 + 0 held

R6 0.001 and 0.001 are the rates until others are set
  default fees
  A: alice sell 1 @ 100
  shows order A makerRate=100000 takerRate=100000
  B: bob buy 1 @ 100                  -> done filled
  trade 1 @ 100 buy fees 0.1/0.1

R6 an order keeps the rates it was accepted with
  A: alice sell 1 @ 100
  fees maker=0 taker=0.01
  bob buy 1 @ 100
  trade 1 @ 100 buy with A, fees 1/0.1
  shows order A makerRate=100000 takerRate=200000

R6 the most special rate that is set counts: user and symbol, user, symbol, default
  alice sell 9 @ 100
  alice sell 9 @ 100 in ETH-USDT
  fees symbol=ETH-USDT maker=0.003 taker=0.004
    * fees none ETH-USDT 0.003 0.004
  bob buy 1 @ 100
  trade 1 @ 100 buy fees 0.2/0.1
  bob buy 1 @ 100 in ETH-USDT
  trade 1 @ 100 buy fees 0.4/0.1
  fees user=bob maker=0.005 taker=0.006
    * fees bob all 0.005 0.006
  bob buy 1 @ 100
  trade 1 @ 100 buy fees 0.6/0.1
  bob buy 1 @ 100 in ETH-USDT
  trade 1 @ 100 buy fees 0.6/0.1
  fees user=bob symbol=ETH-USDT maker=0 taker=0.001
  bob buy 1 @ 100 in ETH-USDT
  trade 1 @ 100 buy fees 0.1/0.1
  bob buy 1 @ 100
  trade 1 @ 100 buy fees 0.6/0.1
  carol buy 1 @ 100 in ETH-USDT
  trade 1 @ 100 buy fees 0.4/0.1

R6 a sub-account has its master's rates, and none of its own
  fees user=alice maker=0 taker=0.005
  bob sell 1 @ 100
  alice-sub buy 1 @ 100
  trade 1 @ 100 buy fees 0.5/0.1
  alice-sub sell 1 @ 100
  bob buy 1 @ 100
  trade 1 @ 100 buy fees 0.2/0
  fees user=alice-sub maker=0 taker=0 -> rejected not-a-master user=alice-sub

R6 a maker rate above the taker rate is refused, so that no fee is above what is held
  fees maker=0.003 taker=0.002        -> rejected maker-above-taker maker=0.003 taker=0.002
  fees maker=0.002 taker=0.002        -> accepted

R6 without fees nothing goes to the system account
  fees maker=0 taker=0
  A: alice sell 1 @ 100
  B: bob buy 1 @ 100
    * received B
    * bob USDT -100 held +100 (hold)
    * trade 1 @ 100 buy
    * bob USDT held -100 (trade)
    * bob BTC +1 (trade)
    * alice BTC held -1 (trade)
    * alice USDT +100 (trade)
    * book ask 100: 0
    * done A filled
    * done B filled
  system fees USDT 0

R6 what is held can be neither traded nor moved
  alice sell 60 @ 100
  alice sell 60 @ 101                 -> rejected funds-insufficient need=60 available=40
  alice sell 60 market                -> rejected funds-insufficient need=60 available=40
  alice transfer 60 BTC from=trade to=main  -> rejected funds-insufficient need=60 available=40
`);
