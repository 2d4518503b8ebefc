import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { NODE_SDK, ok, sdk, signAs } from './node-client.ts';
import { until, Venue } from './venue.ts';

const { UserInfo, Account, Deposit, Withdrawals, TradeFee } = sdk.rest.User;
const BITCOIN_ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
type Row = Record<string, unknown>;
interface Page {
  readonly items: Row[];
}

describe(`${NODE_SDK}, REST: money`, { timeout: 120_000 }, () => {
  const venue = new Venue();
  before(() => signAs(venue.url, 'alice'));
  const balance = async (type: string, currency: string): Promise<unknown> =>
    (await ok<Row[]>(Account['getAccountsList']!({ type, currency })))[0]!['balance'];

  test('getAccountsList, getAccountInformation, getAccountSummaryInfo, getUserType', async () => {
    const [first] = await ok<Row[]>(Account['getAccountsList']!());
    const one = await ok(Account['getAccountInformation']!(first!['id']));
    assert.deepEqual([one['currency'], one['balance']], [first!['currency'], first!['balance']]);
    assert.equal(await balance('trade', 'BTC'), '100');
    assert.ok('level' in (await ok(Account['getAccountSummaryInfo']!())));
    assert.equal(await ok<boolean>(Account['getUserType']!()), true);
  });

  test('getTransferable, innerTransfer, transferToHFAccount, universalTransfer', async () => {
    const quota = await ok(Account['getTransferable']!('MAIN', 'BTC'));
    assert.equal(quota['transferable'], '100');
    await ok(Account['innerTransfer']!('node-t1', 'BTC', 'main', 'trade', '1'));
    assert.equal(await balance('trade', 'BTC'), '101');
    const toFast = { clientOid: 'node-t2', currency: 'BTC', from: 'main', to: 'trade_hf', amount: '1' };
    await ok(Account['transferToHFAccount']!({ ...toFast, type: 'MAIN' }));
    assert.equal(await balance('trade', 'BTC'), '102');
    await ok(
      Account['universalTransfer']!({
        clientOid: 'node-t3',
        currency: 'BTC',
        amount: '2',
        type: 'INTERNAL',
        fromAccountType: 'TRADE',
        toAccountType: 'MAIN',
      }),
    );
    assert.equal(await balance('main', 'BTC'), '100');
  });

  test('transferBetweenMasterUserAndSubUser', async () => {
    const { userId } = venue.connection.users.find(({ name }) => name === 'alice-sub')!;
    await ok(
      Account['transferBetweenMasterUserAndSubUser']!('node-t4', 'ETH', '2', 'OUT', userId, {
        accountType: 'MAIN',
        subAccountType: 'MAIN',
      }),
    );
    assert.equal(await balance('main', 'ETH'), '998');
  });

  test('getAccountLedgers, getHighFrequencyAccountLedger', async () => {
    const { items } = await until(
      () => ok<Page>(Account['getAccountLedgers']!({ currency: 'BTC' })),
      (page) => page.items.length >= 4,
      'ledger',
    );
    assert.ok(items.every(({ currency }) => currency === 'BTC'));
    assert.ok((await ok<Row[]>(Account['getHighFrequencyAccountLedger']!({ currency: 'BTC' }))).length >= 3);
  });

  test('createSubAccount, getSubUsers, getPaginatedSubUsers, getAggregatedBalanceOfAllSubAccounts, getBalanceOfSubAccount, getPaginatedSubAccountInformation, createSpotAPIsForSubAccount, getSubAccountSpotApiList, updateSubAccountSpotApis, deleteSubAccountSpotApis', async () => {
    await ok(Account['createSubAccount']!({ password: 'Sandbox-1234', subName: 'nodesub1', access: 'Spot' }));
    assert.ok((await ok<Row[]>(UserInfo['getSubUsers']!())).some(({ subName }) => subName === 'nodesub1'));
    const paged = await ok<Page>(UserInfo['getPaginatedSubUsers']!({ currentPage: 1, pageSize: 10 }));
    assert.equal(paged.items.length, 2);
    assert.equal((await ok<Row[]>(Account['getAggregatedBalanceOfAllSubAccounts']!())).length >= 1, true);
    const { userId } = venue.connection.users.find(({ name }) => name === 'alice-sub')!;
    assert.equal((await ok(Account['getBalanceOfSubAccount']!(userId)))['subUserId'], userId);
    await ok(Account['getPaginatedSubAccountInformation']!({ currentPage: 1, pageSize: 10 }));
    const secret = { subName: 'nodesub1', passphrase: 'Sandbox-1234' };
    const key = await ok(
      Account['createSpotAPIsForSubAccount']!({ ...secret, remark: 'bot', permission: 'General' }),
    );
    const keys = await ok<Row[]>(Account['getSubAccountSpotApiList']!({ subName: 'nodesub1' }));
    assert.deepEqual(
      keys.map(({ apiKey }) => apiKey),
      [key['apiKey']],
    );
    const { apiKey } = key;
    await ok(Account['updateSubAccountSpotApis']!({ ...secret, apiKey, permission: 'General,Spot' }));
    await ok(Account['deleteSubAccountSpotApis']!({ ...secret, apiKey }));
  });

  test('createDepositAddress, getDepositAddress, getDepositAddressV2, getDepositList, getV1HistoricalDepositsList', async () => {
    const made = await ok(Deposit['createDepositAddress']!('BTC', { chain: 'btc' }));
    assert.equal(
      (await ok(Deposit['getDepositAddress']!('BTC', { chain: 'btc' })))['address'],
      made['address'],
    );
    const all = await ok<Row[]>(Deposit['getDepositAddressV2']!('BTC'));
    assert.ok(all.some(({ address }) => address === made['address']));
    const { items } = await until(
      () => ok<Page>(Deposit['getDepositList']!({ currency: 'BTC' })),
      (page) => page.items.length === 1,
      'deposits',
    );
    assert.equal(items[0]!['amount'], '200');
    await ok(Deposit['getV1HistoricalDepositsList']!({ currency: 'BTC' }));
  });

  test('getWithdrawalQuotas, applyWithdraw, getWithdrawalsList, cancelWithdrawal, getV1HistoricalWithdrawalsList', async () => {
    assert.equal(
      (await ok(Withdrawals['getWithdrawalQuotas']!('BTC', { chain: 'btc' })))['availableAmount'],
      '99.9995',
    );
    const { withdrawalId } = await ok(
      Withdrawals['applyWithdraw']!('BTC', BITCOIN_ADDRESS, 1, { chain: 'btc' }),
    );
    const { items } = await until(
      () => ok<Page>(Withdrawals['getWithdrawalsList']!({ currency: 'BTC' })),
      (page) => page.items.length === 1,
      'withdrawals',
    );
    assert.equal(items[0]!['id'], withdrawalId);
    await ok(Withdrawals['cancelWithdrawal']!(withdrawalId));
    assert.equal(await balance('main', 'BTC'), '100');
    await ok(Withdrawals['getV1HistoricalWithdrawalsList']!({ currency: 'BTC' }));
  });

  test('getBasicUserFee, getActualFeeRateBySymbols', async () => {
    assert.equal((await ok(TradeFee['getBasicUserFee']!()))['takerFeeRate'], '0.001');
    const fees = await ok<Row[]>(TradeFee['getActualFeeRateBySymbols']!('BTC-USDT,ETH-BTC'));
    assert.deepEqual(
      fees.map(({ takerFeeRate }) => takerFeeRate),
      ['0.001', '0.0015'],
    );
  });
});
