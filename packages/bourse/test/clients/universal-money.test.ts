import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Account } from 'kucoin-universal-sdk';
import { ownId, UNIVERSAL, universalClient, words } from './universal-client.ts';
import { until, Venue } from './venue.ts';

const { Account: Money, Deposit, SubAccount, Transfer, Withdrawal } = Account;
const BITCOIN_ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

describe(`${UNIVERSAL}, REST: money`, { timeout: 120_000 }, () => {
  const venue = new Venue();
  let accounts: Account.AccountAPI;
  let transfers: Account.TransferAPI;
  let deposits: Account.DepositAPI;
  let withdrawals: Account.WithdrawalAPI;
  let subs: Account.SubAccountAPI;
  before(() => {
    const service = universalClient(venue.url, 'alice').restService().getAccountService();
    accounts = service.getAccountApi();
    transfers = service.getTransferApi();
    deposits = service.getDepositApi();
    withdrawals = service.getWithdrawalApi();
    subs = service.getSubAccountApi();
  });
  const balance = async (currency: string, type: string): Promise<string> =>
    (await accounts.getSpotAccountList(Money.GetSpotAccountListReq.create(words({ currency, type }))))
      .data[0]!.balance;

  test('getAccountInfo, getApikeyInfo, getSpotAccountType', async () => {
    assert.ok((await accounts.getAccountInfo()).level !== undefined);
    const key = await accounts.getApikeyInfo();
    assert.ok(key.permission.includes('Spot'));
    assert.equal(key.apiKey, '65a0b0c0d0e0f00000a11ce1');
    assert.equal((await accounts.getSpotAccountType()).data, true);
  });

  test('getSpotAccountList, getSpotAccountDetail', async () => {
    const { data } = await accounts.getSpotAccountList(Money.GetSpotAccountListReq.create({}));
    assert.ok(data.length >= 6);
    const accountId = data[0]!.id;
    const one = await accounts.getSpotAccountDetail(Money.GetSpotAccountDetailReq.create({ accountId }));
    assert.deepEqual([one.currency, one.balance], [data[0]!.currency, data[0]!.balance]);
  });

  test('getTransferQuotas, flexTransfer, innerTransfer', async () => {
    const quota = await transfers.getTransferQuotas(
      Transfer.GetTransferQuotasReq.create(words({ currency: 'BTC', type: 'MAIN' })),
    );
    assert.equal(quota.transferable, '100');
    const flex = { clientOid: ownId(), currency: 'BTC', amount: '1', type: 'INTERNAL' };
    const { orderId } = await transfers.flexTransfer(
      Transfer.FlexTransferReq.create(words({ ...flex, fromAccountType: 'MAIN', toAccountType: 'TRADE' })),
    );
    assert.ok(orderId);
    assert.equal(await balance('BTC', 'trade'), '101');
    await transfers.innerTransfer(
      Transfer.InnerTransferReq.create(
        words({ clientOid: ownId(), currency: 'BTC', amount: '1', from: 'trade', to: 'main' }),
      ),
    );
    assert.equal(await balance('BTC', 'main'), '100');
  });

  test('subAccountTransfer', async () => {
    const { userId } = venue.connection.users.find(({ name }) => name === 'alice-sub')!;
    const fields = {
      currency: 'ETH',
      amount: '2',
      subUserId: userId,
      accountType: 'MAIN',
      subAccountType: 'MAIN',
    };
    for (const direction of ['OUT', 'IN']) {
      await transfers.subAccountTransfer(
        Transfer.SubAccountTransferReq.create(words({ ...fields, clientOid: ownId(), direction })),
      );
      assert.equal(await balance('ETH', 'main'), direction === 'OUT' ? '998' : '1000');
    }
  });

  test('getSpotLedger, getSpotHFLedger', async () => {
    const main = await until(
      () => accounts.getSpotLedger(Money.GetSpotLedgerReq.create({ currency: 'BTC' })),
      ({ items }) => items.length >= 3,
      'ledger',
    );
    assert.ok(main.items.every(({ currency }) => currency === 'BTC'));
    const fast = await accounts.getSpotHFLedger(Money.GetSpotHFLedgerReq.create({ currency: 'BTC' }));
    assert.ok(fast.data.length >= 2);
  });

  test('addDepositAddressV3, getDepositAddressV3, getDepositAddressV2, getDepositAddressV1, addDepositAddressV1', async () => {
    const made = await deposits.addDepositAddressV3(
      Deposit.AddDepositAddressV3Req.create({ currency: 'BTC', chain: 'btc' }),
    );
    assert.ok(made.address.length > 10);
    const third = await deposits.getDepositAddressV3(
      Deposit.GetDepositAddressV3Req.create({ currency: 'BTC' }),
    );
    assert.ok(third.data.some(({ address }) => address === made.address));
    const second = await deposits.getDepositAddressV2(
      Deposit.GetDepositAddressV2Req.create({ currency: 'BTC' }),
    );
    assert.ok(second.data.some(({ address }) => address === made.address));
    const first = await deposits.getDepositAddressV1(
      Deposit.GetDepositAddressV1Req.create({ currency: 'BTC', chain: 'btc' }),
    );
    assert.equal(first.address, made.address);
    const old = await deposits.addDepositAddressV1(
      Deposit.AddDepositAddressV1Req.create({ currency: 'ETH', chain: 'eth' }),
    );
    assert.ok(old.address.length > 10);
  });

  test('getDepositHistory, getDepositHistoryOld', async () => {
    const history = await until(
      () => deposits.getDepositHistory(Deposit.GetDepositHistoryReq.create({ currency: 'BTC' })),
      ({ items }) => items.length === 1,
      'deposits',
    );
    assert.deepEqual([history.items[0]!.amount, String(history.items[0]!.status)], ['200', 'SUCCESS']);
    const old = await deposits.getDepositHistoryOld(
      Deposit.GetDepositHistoryOldReq.create({ currency: 'BTC' }),
    );
    assert.ok(Array.isArray(old.items));
  });

  test('getWithdrawalQuotas, withdrawalV3, getWithdrawalHistoryById, cancelWithdrawal, withdrawalV1, getWithdrawalHistory, getWithdrawalHistoryOld', async () => {
    const quotas = await withdrawals.getWithdrawalQuotas(
      Withdrawal.GetWithdrawalQuotasReq.create({ currency: 'BTC', chain: 'btc' }),
    );
    assert.equal(quotas.availableAmount, '99.9995');
    const { withdrawalId } = await withdrawals.withdrawalV3(
      Withdrawal.WithdrawalV3Req.create(
        words({
          currency: 'BTC',
          chain: 'btc',
          amount: '1',
          toAddress: BITCOIN_ADDRESS,
          withdrawType: 'ADDRESS',
        }),
      ),
    );
    const one = await until(
      () =>
        withdrawals.getWithdrawalHistoryById(Withdrawal.GetWithdrawalHistoryByIdReq.create({ withdrawalId })),
      ({ id }) => id === withdrawalId,
      'withdrawal',
    );
    assert.equal(one.address, BITCOIN_ADDRESS);
    await withdrawals.cancelWithdrawal(Withdrawal.CancelWithdrawalReq.create({ withdrawalId }));
    assert.equal(await balance('BTC', 'main'), '100');
    const first = await withdrawals.withdrawalV1(
      Withdrawal.WithdrawalV1Req.create({
        currency: 'BTC',
        chain: 'btc',
        amount: 1,
        address: BITCOIN_ADDRESS,
      }),
    );
    const history = await until(
      () => withdrawals.getWithdrawalHistory(Withdrawal.GetWithdrawalHistoryReq.create({ currency: 'BTC' })),
      ({ items }) => items.some(({ id }) => id === first.withdrawalId),
      'withdrawals',
    );
    assert.equal(history.items.length, 2);
    const old = await withdrawals.getWithdrawalHistoryOld(
      Withdrawal.GetWithdrawalHistoryOldReq.create({ currency: 'BTC' }),
    );
    assert.ok(Array.isArray(old.items));
  });

  test('addSubAccount, getSpotSubAccountsSummaryV1, getSpotSubAccountsSummaryV2, getSpotSubAccountListV1, getSpotSubAccountListV2, getSpotSubAccountDetail', async () => {
    const made = await subs.addSubAccount(
      SubAccount.AddSubAccountReq.create(
        words({ password: 'Sandbox-1234', subName: 'universal1', access: 'Spot', remarks: 'mine' }),
      ),
    );
    assert.equal(made.subName, 'universal1');
    const first = await subs.getSpotSubAccountsSummaryV1();
    assert.ok(first.data.some(({ subName }) => subName === 'universal1'));
    const second = await subs.getSpotSubAccountsSummaryV2(
      SubAccount.GetSpotSubAccountsSummaryV2Req.create({}),
    );
    assert.equal(second.items.length, first.data.length);
    const balances = await subs.getSpotSubAccountListV1();
    assert.ok(balances.data.some(({ subName }) => subName === 'alice-sub'));
    const paged = await subs.getSpotSubAccountListV2(SubAccount.GetSpotSubAccountListV2Req.create({}));
    assert.ok(paged.items.length >= 1);
    const { userId } = venue.connection.users.find(({ name }) => name === 'alice-sub')!;
    const detail = await subs.getSpotSubAccountDetail(
      SubAccount.GetSpotSubAccountDetailReq.create({ subUserId: userId, includeBaseAmount: false }),
    );
    assert.ok(detail.tradeAccounts!.some(({ currency }) => currency === 'USDT'));
  });

  test('addSubAccountApi, getSubAccountApiList, modifySubAccountApi, deleteSubAccountApi: a key is created, used, changed and deleted', async () => {
    const secret = { passphrase: 'Sandbox-1234', subName: 'universal1' };
    const made = await subs.addSubAccountApi(
      SubAccount.AddSubAccountApiReq.create({ ...secret, remark: 'bot', permission: 'General,Spot' }),
    );
    const keys = { apiKey: made.apiKey, apiSecret: made.apiSecret, apiPassphrase: secret.passphrase };
    const used = universalClient(venue.url, keys).restService().getAccountService().getAccountApi();
    assert.equal((await used.getApikeyInfo()).subName, 'universal1');
    const list = await subs.getSubAccountApiList(
      SubAccount.GetSubAccountApiListReq.create({ subName: 'universal1' }),
    );
    assert.deepEqual(
      list.data.map(({ apiKey }) => apiKey),
      [made.apiKey],
    );
    const changed = await subs.modifySubAccountApi(
      SubAccount.ModifySubAccountApiReq.create({ ...secret, apiKey: made.apiKey, permission: 'General' }),
    );
    assert.equal(changed.permission, 'General');
    const gone = await subs.deleteSubAccountApi(
      SubAccount.DeleteSubAccountApiReq.create({ ...secret, apiKey: made.apiKey }),
    );
    assert.equal(gone.apiKey, made.apiKey);
  });
});
