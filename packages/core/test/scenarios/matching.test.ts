import { scenarios } from './runner.ts';

scenarios(`
S3 the best price first, then the order of arrival
  A: alice sell 1 @ 101
  B: bob sell 1 @ 100
  C: carol sell 1 @ 100
  alice-sub buy 2.5 @ 101             -> done filled, deal 2.5, for 250.5
  trade 1 @ 100 buy with B
  trade 1 @ 100 buy with C
  trade 0.5 @ 101 buy with A
  book asks 101: 0.5

S3 the highest bid first, then the order of arrival
  A: alice buy 1 @ 99
  B: bob buy 1 @ 100
  C: carol buy 1 @ 100
  alice-sub sell 2.5 @ 99             -> done filled, deal 2.5, for 249.5
  trade 1 @ 100 sell with B
  trade 1 @ 100 sell with C
  trade 0.5 @ 99 sell with A
  book bids 99: 0.5

S3 a partial fill keeps its place in the queue
  A: alice sell 3 @ 100
  B: bob sell 3 @ 100
  carol buy 1 @ 100
  carol buy 2 @ 100
  trade 2 @ 100 buy with A
  carol buy 1 @ 100
  trade 1 @ 100 buy with B

S4 trades are at the resting price, the buyer gets the difference back with the fill
  A: alice sell 2 @ 100
  B: bob buy 2 @ 110                  -> done filled, for 200
    * received B
    * bob USDT -220.44 held +220.44 (hold)
    * trade 2 @ 100 buy
    * bob USDT +20.04 held -220.44 (trade)
    * bob BTC +2 (trade)
    * alice BTC held -2 (trade)
    * alice USDT +199.8 (trade)
    * system fees USDT +0.6 (trade)
    * book ask 100: 0
    * done A filled
    * done B filled
  bob USDT 9799.6 + 0 held

S4 a seller gets the better price
  alice buy 2 @ 110
  bob sell 2 @ 100                    -> done filled, for 220
  trade 2 @ 110 sell fees 0.44/0.22
  bob USDT 10219.56 + 0 held
  alice USDT 9779.78 + 0 held

S3 orders that do not cross rest on both sides
  alice buy 1 @ 99.9
  bob sell 1 @ 100                    -> open
  no trade
  book bids 99.9: 1
  book asks 100: 1

S4 one order sweeps several levels and rests above them
  A: alice sell 1 @ 100
  B: alice sell 1 @ 101
  C: alice sell 1 @ 103
  D: bob buy 4 @ 102                  -> open deal 2, for 201, remaining 2
    * received D
    * bob USDT -408.816 held +408.816 (hold)
    * trade 1 @ 100 buy
    * bob USDT +2.004 held -102.204 (trade)
    * bob BTC +1 (trade)
    * alice BTC held -1 (trade)
    * alice USDT +99.9 (trade)
    * system fees USDT +0.3 (trade)
    * book ask 100: 0
    * done A filled
    * trade 1 @ 101 buy
    * bob USDT +1.002 held -102.204 (trade)
    * bob BTC +1 (trade)
    * alice BTC held -1 (trade)
    * alice USDT +100.899 (trade)
    * system fees USDT +0.303 (trade)
    * book ask 101: 0
    * done B filled
    * opened D 2
    * book bid 102: 2
  book asks 103: 1
  order D open holds 204.408 fee 0.402

S4 a market order takes the book level by level and never rests
  alice sell 1 @ 100
  alice sell 1 @ 101
  B: bob buy 3 market                 -> done book-end, deal 2, for 201, cancelled 1
  trade 1 @ 100 buy fees 0.2/0.1
  trade 1 @ 101 buy fees 0.202/0.101
  book asks none
  book bids none
  bob USDT 9798.598 + 0 held  BTC 102 + 0 held

S4 a market order on an empty book is done
  alice buy 1 market                  -> done book-end, deal 0, cancelled 1
  alice sell 1 market                 -> done book-end, deal 0, cancelled 1
  alice buy for 100 market            -> done book-end, deal 0, for 0, back 100, cancelled 0
  alice sell for 100 market           -> done book-end, deal 0, for 0, back 100, cancelled 0
  alice USDT 10000 + 0 held  BTC 100 + 0 held

S4 a market sell by size
  alice buy 1 @ 100
  alice buy 1 @ 99
  B: bob sell 1.5 market              -> done filled, deal 1.5, for 149.5
  trade 1 @ 100 sell fees 0.2/0.1
  trade 0.5 @ 99 sell fees 0.099/0.0495
  bob USDT 10149.201 + 0 held  BTC 98.5 + 0 held
  book bids 99: 0.5

S4 symbols have books of their own
  A: alice sell 1 @ 100
  bob buy 1 @ 100 in ETH-USDT         -> open
  no trade
  book asks 100: 1
  book bids none
  book bids in ETH-USDT 100: 1
`);
