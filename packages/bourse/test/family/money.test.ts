import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { userId } from '../../../api/src/gateway/ids.ts';
import { type Data, type Family, startFamily } from './exchange.ts';

const WITHDRAWALS = '/api/v1/withdrawals';

describe('money in and out in the family dialect', () => {
  let family: Family;
  before(async () => {
    family = await startFamily();
  });
  after(() => family.close());

  const main = async (): Promise<unknown[]> => {
    const [account] = await family.bob.get<Data[]>('/api/v1/accounts?currency=USDT&type=main');
    return [account['available'], account['holds']];
  };

  test('deposit addresses have three shapes and are created once', async () => {
    const { bob } = family;
    await bob.refused(
      'GET',
      '/api/v1/deposit-addresses?currency=USDT',
      undefined,
      '260220',
      /^deposit\.address\.not\.exists/,
    );
    assert.deepEqual(await bob.get('/api/v3/deposit-addresses?currency=USDT'), []);
    const made = await bob.post('/api/v3/deposit-address/create', {
      currency: 'USDT',
      chain: 'trx',
      to: 'main',
    });
    const { address, contractAddress, ...shown } = made;
    assert.match(String(address), /^T/);
    assert.match(String(contractAddress), /^TR7/);
    assert.deepEqual(shown, {
      memo: '',
      chainId: 'trx',
      to: 'MAIN',
      expirationDate: 0,
      currency: 'USDT',
      chainName: 'TRC20',
    });
    assert.deepEqual(await bob.get('/api/v3/deposit-addresses?currency=USDT&chain=trx&amount=1'), [made]);
    assert.deepEqual(await bob.get('/api/v3/deposit-addresses?currency=USDT&chain=eth'), []);
    assert.deepEqual(await bob.get('/api/v1/deposit-addresses?currency=USDT&chain=TRC20'), {
      address,
      memo: '',
      chain: 'TRC20',
      chainId: 'trx',
      to: 'MAIN',
      currency: 'USDT',
    });
    const again = { currency: 'USDT', chain: 'trx' };
    await bob.refused(
      'POST',
      '/api/v3/deposit-address/create',
      again,
      '260000',
      /^Deposit address already exists\./,
    );
    await bob.refused('GET', '/api/v1/deposit-addresses?currency=NONE', undefined, '111001', /NONE/);
    assert.deepEqual(await bob.get('/api/v3/deposit-addresses?currency=USDT&chain=none'), []);
  });

  test('deposits are listed with address and state', async () => {
    const { bob, carol } = family;
    const deposit = { userId: userId(1), currency: 'USDT', chain: 'trx', amount: '7.5' };
    await family.operate('/v1/deposits', { ...deposit, txId: 'tx-1' });
    const asked = await family.operate('/v1/deposits', { ...deposit, txId: 'tx-2', travelRule: true });
    assert.equal(typeof asked['travelRuleOId'], 'string');
    const { items, ...head } = await bob.get('/api/v1/deposits?currency=USDT&pageSize=2');
    assert.deepEqual(head, { currentPage: 1, pageSize: 2, totalNum: 3, totalPage: 2 });
    const [waiting, done] = items as Data[];
    assert.deepEqual([waiting['status'], waiting['walletTxId']], ['WAIT_TRM_MGT', 'tx-2']);
    assert.equal(waiting['travelRuleOId'], asked['travelRuleOId'], 'what the questionnaire must name');
    const [{ address }] = await bob.get<Data[]>('/api/v3/deposit-addresses?currency=USDT');
    const { id, createdAt, updatedAt, ...shown } = done;
    assert.match(String(id), /^[0-9a-f]{24}$/);
    assert.ok(Number(updatedAt) >= Number(createdAt) && Number(createdAt) > 1e12);
    assert.deepEqual(shown, {
      currency: 'USDT',
      chain: 'trx',
      status: 'SUCCESS',
      address,
      memo: '',
      isInner: false,
      amount: '7.5',
      fee: '0',
      walletTxId: 'tx-1',
      remark: '',
      arrears: false,
      travelRuleOId: null,
      questionnaireStatus: null,
      failureCode: null,
    });
    const listed = async (query: string): Promise<unknown[]> =>
      ((await bob.get(`/api/v1/deposits?${query}`))['items'] as Data[]).map(({ walletTxId }) => walletTxId);
    assert.deepEqual(await listed('currency=USDT&status=PROCESSING'), ['tx-2']);
    assert.deepEqual((await listed('status=SUCCESS&currency=USDT'))[0], 'tx-1');
    assert.deepEqual(await listed('status=FAILURE'), []);
    assert.deepEqual(await listed('currency=NONE'), []);
    assert.deepEqual(await listed('endAt=1000'), []);
    const old = await bob.get('/api/v1/hist-deposits?currency=USDT&status=SUCCESS');
    const [first] = old['items'] as Data[];
    assert.deepEqual([first['walletTxId'], first['status'], first['isInner']], ['tx-1', 'SUCCESS', false]);
    assert.equal(first['createAt'], Math.floor(Number(createdAt) / 1000));
    assert.equal(first['travelRuleOId'], null);
    const [oldWaiting] = (await bob.get('/api/v1/hist-deposits?status=PROCESSING'))['items'] as Data[];
    assert.equal(oldWaiting['travelRuleOId'], asked['travelRuleOId']);
    assert.ok(!JSON.stringify(await carol.get('/api/v1/deposits')).includes('tx-1'));
  });

  test('a withdrawal holds its amount and fee, and releases them when it is cancelled or fails', async () => {
    const { bob, alice } = family;
    const [atFirst] = await main();
    const ask = {
      currency: 'USDT',
      chain: 'trx',
      amount: '100',
      toAddress: 'TSv3L1fS7yA3SxzKD8c1qdX4nLP6rqNxYz',
    };
    const make = async (): Promise<string> => {
      const body = { ...ask, withdrawType: 'ADDRESS', memo: '', isInner: false, remark: 'mine' };
      return (await bob.post<{ withdrawalId: string }>('/api/v3/withdrawals', body)).withdrawalId;
    };
    const id = await make();
    assert.deepEqual(await main(), [String(Number(atFirst) - 101.3), '101.3']);
    const { createdAt, ...shown } = await bob.get(`${WITHDRAWALS}/${id}`);
    assert.ok(Number(createdAt) > 1e12);
    assert.deepEqual(shown, {
      id,
      uid: 100_000_001,
      currency: 'USDT',
      chainId: 'trx',
      chainName: 'TRC20',
      currencyName: 'USDT',
      status: 'PROCESSING',
      failureReason: '',
      failureReasonMsg: null,
      address: ask.toAddress,
      memo: '',
      isInner: false,
      amount: '100',
      fee: '1.3',
      walletTxId: null,
      addressRemark: null,
      remark: 'mine',
      cancelType: 'CANCELABLE',
      taxes: null,
      taxDescription: null,
      returnStatus: 'NOT_RETURN',
      returnAmount: null,
      returnCurrency: 'USDT',
    });
    await alice.refused(
      'GET',
      `${WITHDRAWALS}/${id}`,
      undefined,
      '400100',
      /^The withdrawal does not exist\./,
    );
    await alice.refused(
      'DELETE',
      `${WITHDRAWALS}/${id}`,
      undefined,
      '400100',
      /^The withdrawal does not exist\./,
    );
    assert.equal(await bob.delete(`${WITHDRAWALS}/${id}`), null);
    assert.deepEqual(await main(), [atFirst, '0']);
    const cancelled = await bob.get(`${WITHDRAWALS}/${id}`);
    assert.deepEqual(
      [cancelled['status'], cancelled['failureReason'], cancelled['returnStatus'], cancelled['cancelType']],
      ['FAILURE', 'cancelled', 'RETURNED', 'NON_CANCELABLE'],
    );
    await bob.refused('DELETE', `${WITHDRAWALS}/${id}`, undefined, '400100', /^The withdrawal is over\./);

    const sent = await make();
    await family.operate(`/v1/withdrawals/${sent}/claim`, {});
    assert.equal((await bob.get(`${WITHDRAWALS}/${sent}`))['status'], 'WALLET_PROCESSING');
    await family.operate(`/v1/withdrawals/${sent}/settle`, { sent: true, txId: '9f3c' });
    assert.equal((await bob.get(`${WITHDRAWALS}/${sent}`))['walletTxId'], '9f3c');
    const failed = await make();
    const failureReason = 'The bank refused the account.';
    await family.operate(`/v1/withdrawals/${failed}/settle`, { sent: false, failureReason });
    const shownFailed = await bob.get(`${WITHDRAWALS}/${failed}`);
    assert.deepEqual(
      [shownFailed['status'], shownFailed['failureReason'], shownFailed['failureReasonMsg']],
      ['FAILURE', 'failed', failureReason],
    );
    assert.deepEqual(await main(), [String(Number(atFirst) - 101.3), '0']);
    const { toAddress: address, ...old } = ask;
    const last = await bob.post(WITHDRAWALS, { ...old, amount: 10, address });
    const listed = async (query = ''): Promise<unknown[]> =>
      ((await bob.get(`${WITHDRAWALS}${query}`))['items'] as Data[]).map((each) => each['id']);
    assert.deepEqual(await listed(), [last['withdrawalId'], failed, sent, id]);
    assert.deepEqual(await listed('?currency=USDT&status=FAILURE'), [failed, id]);
    assert.deepEqual(await listed('?status=SUCCESS'), [sent]);
    assert.deepEqual(await listed('?status=PROCESSING'), [last['withdrawalId']]);
    assert.deepEqual(await listed('?status=REVIEW'), []);
    assert.deepEqual(await listed('?currency=BTC'), []);
    const { items, ...head } = await bob.get(
      '/api/v1/hist-withdrawals?currency=USDT&pageSize=3&currentPage=2',
    );
    assert.deepEqual(head, { currentPage: 2, pageSize: 3, totalNum: 4, totalPage: 2 });
    const [first] = items as Data[];
    assert.deepEqual(first, {
      currency: 'USDT',
      createAt: Math.floor(Number(createdAt) / 1000),
      amount: '100',
      address: ask.toAddress,
      walletTxId: null,
      isInner: false,
      status: 'FAILURE',
    });
  });

  test('an impossible withdrawal is rejected with the reason', async () => {
    const { bob, viewer } = family;
    const toAddress = 'TSv3L1fS7yA3SxzKD8c1qdX4nLP6rqNxYz';
    const ask = { currency: 'USDT', chain: 'trx', amount: '100', toAddress };
    const refuse = (change: Data, code: string, says: RegExp) =>
      bob.refused('POST', '/api/v3/withdrawals', { ...ask, ...change }, code, says);
    await refuse({ isInner: true }, '400100', /isInner/);
    await refuse({ withdrawType: 'UID' }, '400100', /ADDRESS/);
    await refuse({ feeDeductType: 'BOTH' }, '400100', /EXTERNAL or INTERNAL/);
    await refuse(
      { toAddress: 'not-an-address' },
      '400100',
      /"not-an-address" is not an address on TRC20. .* T\.\.\./,
    );
    await refuse({ toAddress: toAddress.replace('T', '1') }, '400100', /is not an address on TRC20/);
    await refuse({ toAddress, chain: 'eth' }, '400100', /is not an address on ERC20. .*0x and 40 hex digits/);
    await refuse({ remark: 'a\nb' }, '400100', /remark must be one line of text/);
    await refuse({ amount: '1' }, '400100', /below the smallest, 3/);
    await refuse({ amount: '0.0000000000001' }, '400100', /increment/);
    await refuse({ amount: '999999999' }, '230003', /^Balance insufficient! The MAIN account/);
    await refuse({ chain: 'none' }, '900014', /chain/);
    await refuse({ currency: 'NONE' }, '111001', /NONE/);
    await viewer.refused('POST', '/api/v3/withdrawals', ask, '400007', /needs Withdrawal/);
    const quotas = await bob.get(`${WITHDRAWALS}/quotas?currency=USDT&chain=trx`);
    const [balance, holds] = await main();
    const available = String(Number(balance) - 1.3);
    assert.deepEqual(
      [
        'currency',
        'availableAmount',
        'remainAmount',
        'lockedAmount',
        'withdrawMinFee',
        'withdrawMinSize',
        'chain',
        'precision',
      ].map((name) => quotas[name]),
      ['USDT', available, available, holds, '1.3', '3', 'TRC20', 8],
    );
  });

  test('the quota can be withdrawn with the fee on top, and with INTERNAL the whole balance', async () => {
    const { carol } = family;
    const to = { toAddress: 'TSv3L1fS7yA3SxzKD8c1qdX4nLP6rqNxYz', chain: 'trx', currency: 'USDT' };
    const quota = async () =>
      (await carol.get(`${WITHDRAWALS}/quotas?currency=USDT&chain=trx`))['availableAmount'];
    const make = async (more: Data): Promise<Data> => {
      const { withdrawalId } = await carol.post('/api/v3/withdrawals', { ...to, ...more });
      return carol.get(`${WITHDRAWALS}/${String(withdrawalId)}`);
    };
    const all = await make({ amount: await quota() });
    assert.deepEqual([all['amount'], all['fee']], ['999998.7', '1.3']);
    assert.equal(await quota(), '0', 'nothing is left that could be withdrawn');
    await carol.delete(`${WITHDRAWALS}/${String(all['id'])}`);
    const whole = await make({ amount: '1000000', feeDeductType: 'INTERNAL' });
    assert.deepEqual([whole['amount'], whole['fee']], ['999998.7', '1.3']);
    await carol.delete(`${WITHDRAWALS}/${String(whole['id'])}`);
    const inner = { currency: 'USDT', from: 'main', to: 'trade' };
    const move = (amount: string) =>
      carol.post('/api/v2/accounts/inner-transfer', { clientOid: amount, ...inner, amount });
    await move('999995.75');
    assert.equal(await quota(), '0', '4.25 less the fee is below the smallest withdrawal of 3');
    await carol.refused('POST', '/api/v3/withdrawals', { ...to, amount: '2.95' }, '400100', /smallest, 3/);
    await move('0.15');
    const rest = await make({ amount: '4.1', feeDeductType: 'INTERNAL' });
    assert.deepEqual([rest['amount'], rest['fee']], ['2.8', '1.3']);
  });

  test('quotas are zero for a closed chain and for a frozen user, whose withdrawals would be rejected', async () => {
    const { carol } = family;
    const quota = () => carol.get(`${WITHDRAWALS}/quotas?currency=USDT&chain=trx`);
    const transferable = () => carol.get('/api/v1/accounts/transferable?currency=USDT&type=TRADE');
    const ask = { currency: 'USDT', chain: 'trx', toAddress: 'TSv3L1fS7yA3SxzKD8c1qdX4nLP6rqNxYz' };
    const offered = ({ availableAmount, remainAmount, limitQuotaCurrencyAmount, reason }: Data) => [
      availableAmount,
      remainAmount,
      limitQuotaCurrencyAmount,
      reason,
    ];
    await carol.post('/api/v2/accounts/inner-transfer', {
      clientOid: 'back',
      currency: 'USDT',
      from: 'trade',
      to: 'main',
      amount: '1000',
    });
    const open = String((await quota())['availableAmount']);
    assert.notEqual(open, '0');
    const { operatorUrl, operatorToken } = family.exchange.connection;
    const headers = { authorization: `Bearer ${operatorToken}` };
    const currencies = (await (await fetch(`${operatorUrl}/v1/currencies`, { headers })).json()) as Data[];
    const chains = currencies.find(({ currency }) => currency === 'USDT')!['chains'] as Data[];
    const setOpen = (isWithdrawEnabled: boolean) =>
      family.operate('/v1/currencies/USDT', {
        chains: chains.map((each) => ({ ...each, ...(each['chainId'] === 'trx' && { isWithdrawEnabled }) })),
      });
    await setOpen(false);
    const closed = 'USDT on trx does not process withdrawals now.';
    assert.deepEqual(offered(await quota()), ['0', '0', '0', `withdraw.disabled: ${closed}`]);
    await carol.refused('POST', '/api/v3/withdrawals', { ...ask, amount: '10' }, '260210', /withdraw/);
    await setOpen(true);
    assert.deepEqual(offered(await quota()), [open, open, open, null]);

    await family.operate('/v1/users/carol', { frozen: true });
    const [zero, , , why] = offered(await quota());
    assert.equal(zero, '0');
    assert.match(String(why), /^User are frozen/);
    const frozen = await transferable();
    assert.equal(frozen['transferable'], '0');
    assert.notEqual(frozen['available'], '0');
    await family.operate('/v1/users/carol', { frozen: false });
    assert.notEqual((await transferable())['transferable'], '0');
    assert.equal((await quota())['availableAmount'], open);
  });
});
