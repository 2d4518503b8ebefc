/**
 * One test per rejection: its code, the line that causes it (earlier commands are separated by &&), and its details,
 * which may be on a line of their own.
 */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { REJECTIONS_OF_PEOPLE } from '@bourse/test-kit/flow/coverage.ts';
import { REJECTION_CODES } from '../../src/commands/rejections.ts';
import { collecting, scenarios } from './runner.ts';

const TABLE = `
request-repeated       | once=x alice buy 1 @ 1 && once=x alice buy 1 @ 1 | id=x
user-unknown           | #9 buy 1 @ 100                        | user=#9
user-frozen            | user alice frozen=yes && alice buy 1 @ 100 | user=alice
currency-unknown       | alice deposit 1 #9                    | currency=#9
symbol-unknown         | alice buy 1 @ 100 in #7               | symbol=#7
chain-unknown          | alice withdraw 1 BTC chain=moon       | chain=moon known=net
key-unknown            | key remove k1                         | key=k1
fee-rule-unknown       | remove fees user=alice                | user=alice symbol=#-1
schedule-unknown       | unschedule 1                          | entry=1
address-rule-unknown   | rule remove 7                         | rule=7
text-invalid           | alice buy 1 @ 100 tags=é              | field=tags value=é lengthMax=20
value-invalid          | alice buy 1 @ 100 stp=XX              | field=stp value=XX
field-missing          | alice buy 1 limit                     | field=price
field-not-allowed      | alice buy 1 market IOC                | field=timeInForce
code-taken             | new user alice                        | taken=alice
key-taken              | key add k1 && key add k1              | key=k1
client-id-used         | A: alice buy 1 @ 100 id=x && alice buy 1 @ 100 id=x | clientId=x order=A
reversed               | D: bob deposit 1 BTC && C: reverse deposit=D && reverse deposit=D | id=D correction=C
not-reversible         | W: bob withdraw 1 BTC && reverse withdrawal=W | id=W state=processing
transfer-conflict      | T: alice transfer 1 USDT id=x && alice transfer 2 USDT id=x | clientId=x transfer=T
deposit-conflict       | D: alice deposit 1 USDT tx=x && alice deposit 2 USDT tx=x | txId=x deposit=D
code-in-use            | remove currency BTC                   | used=BTC by=symbols
address-taken          | alice address BTC here && alice address BTC there
                       | currency=BTC chain=net address=here
address-in-use         | alice address BTC here && bob address BTC here | chain=net address=here
address-index          | alice address BTC here index=3        | chain=net next=0
user-closed            | new user x && close x && close x      | user=x
frozen-already         | freeze alice all && freeze alice trading | user=alice level=all
not-a-master           | fees user=alice-sub                   | user=alice-sub
not-a-sub-account      | alice transfer 1 USDT type=parent-to-sub toUser=bob | user=bob
same-account           | alice transfer 1 USDT to=main         | account=main
currency-ambiguous     | alice transfer 1 USDT unnamed         | currencies=BTC,USDT
amounts-inexact        | symbol priceIncrement=0.00001
                       | priceIncrement=0.00001 baseIncrement=0.01 quoteScale=6
maker-above-taker      | fees maker=0.2 taker=0.1              | maker=0.2 taker=0.1
market-closed          | state halted && alice buy 1 @ 100     | symbol=BTC-USDT state=halted
order-kind             | auction 5s && alice buy 1 market      | symbol=BTC-USDT state=auction kind=market
in-auction             | auction 5s && state open              | symbol=BTC-USDT
no-auction             | auction cancel                        | symbol=BTC-USDT
book-crossed           | auction 5s && alice sell 1 @ 100 && bob buy 1 @ 100 && auction cancel && state open | symbol=BTC-USDT
paused-already         | pause && pause                        |
not-paused             | resume                                |
deposit-disabled       | currency BTC chain.isDepositEnabled=no && alice deposit 1 BTC
                       | currency=BTC chain=net
withdrawal-disabled    | currency BTC chain.isWithdrawEnabled=no && alice withdraw 1 BTC
                       | currency=BTC chain=net
order-unknown          | A: alice buy 1 @ 100 && bob cancel A  | order=A clientId=''
deposit-unknown        | alice questionnaire #999              | travelRuleId=999
questionnaire-unknown  | decide #999 accept                    | questionnaire=#999
questionnaire-closed   | D: bob deposit 1 BTC travelRule && Q: bob questionnaire D && bob questionnaire D
                       | questionnaire=Q state=pending
withdrawal-unknown     | settle #999 sent                      | withdrawal=#999
withdrawal-closed      | W: bob withdraw 1 BTC && settle W failed && settle W failed | withdrawal=W state=failed
withdrawal-claimed     | W: bob withdraw 1 BTC && claim W && bob cancel-withdrawal W | withdrawal=W by=''
not-claimed            | W: bob withdraw 1 BTC && settle W sent | withdrawal=W
payment-begun          | W: bob withdraw 1 BTC && claim W && advance W signed && unclaim W | withdrawal=W payment=signed
correction-unknown     | reverse correction=#999               | correction=#999
not-returnable         | D: bob deposit 1 BTC && return D      | deposit=D state=done
address-blocked        | rule block somewhere && alice withdraw 1 BTC | chain=net address=somewhere
user-not-empty         | close alice                           | user=alice has=money
price-increment        | alice buy 1 @ 100.05
                       | value=100.05 increment=0.1 below=100 above=100.1
price-above-max        | alice buy 1 @ 112589990684.3          | value=112589990684.3 max=112589990684.2623
size-increment         | alice buy 1.005 @ 100                 | increment=0.01 below=1 above=1.01
size-below-min         | symbol baseMinSize=1 && alice buy 0.5 @ 100 | value=0.5 min=1
size-above-max         | alice buy 10000.01 @ 100              | value=10000.01 max=10000
visible-size           | alice sell 10 @ 100 iceberg visible=0.4 | value=0.4 min=0.5 max=10 increment=0.01
funds-increment        | alice buy for 10.005 market
                       | value=10.005 increment=0.01 below=10 above=10.01
funds-below-min        | alice buy for 0.05 market             | value=0.05 min=0.1
funds-above-max        | alice buy for 100000.01 market        | value=100000.01 max=100000
min-funds              | symbol minFunds=10 && alice buy 0.09 @ 100 | value=9 min=10
amount-increment       | alice deposit 1.005 USDT              | value=1.005 increment=0.01 below=1 above=1.01
amount-below-min       | alice withdraw 0.5 USDT               | value=0.5 min=1
amount-above-max       | alice deposit 1267650600228229401496704 USDT | value=1267650600228229401496704
would-trade            | alice sell 1 @ 100 && state post-only && bob buy 1 @ 100 | symbol=BTC-USDT price=100
own-cross              | auction 5s && A: alice sell 1 @ 100 && alice buy 1 @ 101 | order=A price=100
orders-per-symbol      | limits perSymbol=1 && alice buy 1 @ 1 && alice buy 1 @ 1 | max=1
orders-per-user        | limits perUser=1 && alice buy 1 @ 1 && alice buy 1 @ 1 in ETH-USDT | max=1
stop-orders-per-symbol | limits stops=1 && alice stop loss 1 sell 1 @ 1 && alice stop loss 1 sell 1 @ 1
                       | max=1
movements-per-user     | limits movements=1 && alice withdraw 1 USDT && alice withdraw 1 USDT
                       | max=1
withdrawal-limit       | perday 1 BTC tier=0 && alice withdraw 2 BTC | currency=BTC limit=1 left=1
address-rules-in-all   | repeat 10000 rule block a{i} && rule block b | max=10000
sub-accounts-per-user  | repeat 99 new user s{i} of alice sender=alice && new user s of alice sender=alice | max=100
keys-per-user          | repeat 10 key add k{i} user=alice-sub sender=alice && key add k user=alice-sub sender=alice | max=10
schedule-full          | repeat 1000 schedule 5s state halted && schedule 5s state halted | max=1000
funds-insufficient     | alice sell 101 @ 100
                       | user=alice account=trade currency=BTC need=101 available=100
insufficient           | move 1 BTC from=suspense to=fees      | user=none account=suspense currency=BTC need=1 available=0
`;

const rows = TABLE.trim()
  .replaceAll(/\n +\|/g, ' |')
  .split('\n')
  .map((row) => row.split('|').map((cell) => cell.trim()));

scenarios(
  rows
    .map(([code = '', lines = '', details = '']) => {
      const steps = `${lines} -> rejected ${code} ${details}`.split(' && ');
      return [`rejection ${code}`, ...steps, '* none'].join('\n  ');
    })
    .join('\n'),
);

if (!collecting()) {
  // The language of scenarios has no words for people and operators: ../people and ../operators test theirs.
  test('every rejection code has its test, in the order of precedence', () => {
    assert.deepEqual(
      rows.map(([code]) => code),
      REJECTION_CODES.filter((code) => !REJECTIONS_OF_PEOPLE.includes(code)),
    );
    const folders = ['../people', '../operators'].map((folder) => join(import.meta.dirname, folder));
    const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
    const tests = files.filter((name) => name.endsWith('.test.ts'));
    const text = tests.map((name) => readFileSync(name, 'utf8')).join('');
    for (const code of REJECTIONS_OF_PEOPLE)
      assert.ok(text.includes(`rejected ${code}`), `${code} is tried nowhere`);
  });
}
