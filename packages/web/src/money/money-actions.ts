/** Actions on money and sub-accounts, as data. */

import type { Action } from '../user/actions.ts';

export interface TransferDraft {
  readonly clientOid: string;
  readonly currency: string;
  readonly amount: string;
  readonly type: 'INTERNAL' | 'PARENT_TO_SUB' | 'SUB_TO_PARENT';
  readonly fromAccountType: 'MAIN' | 'TRADE';
  readonly toAccountType: 'MAIN' | 'TRADE';
  /** The sub-account's user id; unused for internal transfers. */
  readonly subUserId: string;
}

export function transfer({ subUserId, ...draft }: TransferDraft): Action {
  return {
    title: 'Transfer',
    method: 'POST',
    path: '/api/v3/accounts/universal-transfer',
    body: {
      ...draft,
      ...(draft.type === 'PARENT_TO_SUB' && { toUserId: subUserId }),
      ...(draft.type === 'SUB_TO_PARENT' && { fromUserId: subUserId }),
    },
    ccxt: 'privatePostAccountsUniversalTransfer',
  };
}

export const createAddress = (currency: string, chain: string): Action => ({
  title: 'Create a deposit address',
  method: 'POST',
  path: '/api/v1/deposit-addresses',
  body: { currency, chain },
  ccxt: 'privatePostDepositAddresses',
});

export interface WithdrawalDraft {
  readonly currency: string;
  readonly chain: string;
  readonly toAddress: string;
  readonly memo: string;
  readonly amount: string;
  readonly remark: string;
  readonly isFeeInside: boolean;
}

export const withdraw = ({ memo, remark, isFeeInside, ...draft }: WithdrawalDraft): Action => ({
  title: 'Withdraw',
  method: 'POST',
  path: '/api/v3/withdrawals',
  body: {
    ...draft,
    withdrawType: 'ADDRESS',
    ...(memo !== '' && { memo }),
    ...(remark !== '' && { remark }),
    feeDeductType: isFeeInside ? 'INTERNAL' : 'EXTERNAL',
  },
  ccxt: 'privatePostWithdrawals',
});

export const cancelWithdrawal = (id: string): Action => ({
  title: 'Cancel a withdrawal',
  method: 'DELETE',
  path: `/api/v1/withdrawals/${id}`,
  ccxt: 'privateDeleteWithdrawalsWithdrawalId',
  ccxtPath: '/api/v1/withdrawals/{withdrawalId}',
});

export const createSubAccount = (subName: string, password: string, remarks: string): Action => ({
  title: 'Create a sub-account',
  method: 'POST',
  path: '/api/v2/sub/user/created',
  body: { subName, password, access: 'Spot', ...(remarks !== '' && { remarks }) },
  ccxt: 'privatePostSubUserCreated',
});

export interface SubKeyDraft {
  readonly subName: string;
  readonly passphrase: string;
  readonly remark: string;
  readonly permission: string;
  readonly ipWhitelist: string;
}

export const createSubKey = ({ ipWhitelist, ...draft }: SubKeyDraft): Action => ({
  title: 'Create a key for a sub-account',
  method: 'POST',
  path: '/api/v1/sub/api-key',
  body: { ...draft, ...(ipWhitelist !== '' && { ipWhitelist }) },
  ccxt: 'privatePostSubApiKey',
});

export const changeSubKey = (
  apiKey: string,
  { subName, passphrase, permission, ipWhitelist }: SubKeyDraft,
): Action => ({
  title: 'Change a key of a sub-account',
  method: 'POST',
  path: '/api/v1/sub/api-key/update',
  // Even if empty: the exchange leaves an omitted list as it is.
  body: { subName, apiKey, passphrase, permission, ipWhitelist },
  ccxt: 'privatePostSubApiKeyUpdate',
});

export const removeSubKey = (subName: string, apiKey: string, passphrase: string): Action => ({
  title: 'Remove a key of a sub-account',
  method: 'DELETE',
  path: '/api/v1/sub/api-key',
  query: { subName, apiKey, passphrase },
  ccxt: 'privateDeleteSubApiKey',
});

export const submitQuestionnaire = (
  travelRuleOId: string,
  type: 'individual' | 'company',
  info: Readonly<Record<string, string>>,
): Action => ({
  title: 'Answer who sent a deposit',
  method: 'POST',
  path: '/api/v1/deposit/compliance/info',
  body: { travelRuleOId, type, complianceInfo: JSON.stringify(info) },
});
