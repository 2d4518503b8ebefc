import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkComplianceInfo,
  isTurkishIdentityNumber,
  regions,
} from '../../src/gateway/money/travel-rule.ts';
import { Refusal } from '../../src/gateway/errors/refusal.ts';

const individual = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  identityType: 'PASSPORT',
  identityNo: 'P123',
  country: 'GB',
  reasonOfTransfer: 'savings',
  wallet: 'personal wallets',
};
const company = {
  companyName: 'Analytical Engines',
  tin: '42',
  reasonOfTransfer: 'invoice',
  wallet: 'Kraken',
};

function refusedFor(sender: 'individual' | 'company', info: unknown): string {
  try {
    checkComplianceInfo(sender, typeof info === 'string' ? info : JSON.stringify(info));
  } catch (error) {
    assert.ok(error instanceof Refusal);
    return error.detail;
  }
  return '';
}

test('a complete questionnaire of a person or a company is accepted', () => {
  assert.equal(refusedFor('individual', individual), '');
  assert.equal(
    refusedFor('individual', {
      ...individual,
      country: 'TR',
      identityType: 'TCKN',
      identityNo: '10000000146',
    }),
    '',
  );
  assert.equal(refusedFor('company', company), '');
  const { country: _, ...nowhere } = individual;
  assert.equal(refusedFor('individual', nowhere), '');
});

test('an error names each missing required field', () => {
  for (const field of ['firstName', 'lastName', 'identityType', 'identityNo', 'reasonOfTransfer', 'wallet']) {
    for (const nothing of ['', '  ', '\t']) {
      const said = refusedFor('individual', { ...individual, [field]: nothing });
      assert.match(said, new RegExp(`${field} is missing`));
    }
  }
  for (const field of ['companyName', 'tin', 'reasonOfTransfer', 'wallet']) {
    assert.match(
      refusedFor('company', { ...company, [field]: undefined }),
      new RegExp(`${field} is missing`),
    );
  }
});

test('null is unset', () => {
  const optional = { country: null, firstName: null, anything: null };
  checkComplianceInfo('company', JSON.stringify({ ...company, ...optional }));
  assert.match(refusedFor('company', { ...company, tin: null }), /tin is missing/);
});

test('an error says what is wrong with a field', () => {
  for (const text of ['', '[]', 'null', '"x"', '{', '1'])
    assert.match(refusedFor('company', text), /JSON object/);
  assert.match(refusedFor('company', { ...company, tin: 42 }), /tin must be a string/);
  assert.match(refusedFor('company', { ...company, tin: 'x'.repeat(257) }), /at most 256/);
  assert.match(refusedFor('company', { ...company, country: 'XX' }), /regions\/v4/);
  assert.match(refusedFor('individual', { ...individual, country: 'TR' }), /must be TCKN/);
  assert.match(refusedFor('individual', { ...individual, identityType: 'TCKN' }), /must be PASSPORT/);
  const turkish = { ...individual, country: 'TR', identityType: 'TCKN', identityNo: '10000000147' };
  assert.match(refusedFor('individual', turkish), /not a TCKN/);
});

test('the checksum of a Turkish identity number finds every single wrong digit', () => {
  const right = '10000000146';
  assert.ok(isTurkishIdentityNumber(right));
  for (let at = 0; at < right.length; at++) {
    for (let digit = 0; digit < 10; digit++) {
      const text = right.slice(0, at) + digit + right.slice(at + 1);
      assert.equal(isTurkishIdentityNumber(text), text === right, text);
    }
  }
  assert.equal(isTurkishIdentityNumber('1000000014'), false);
});

test('regions have two letters and an English name each', () => {
  assert.ok(regions().length > 240);
  assert.equal(new Set(regions().map(({ code }) => code)).size, regions().length);
  for (const { code, enName } of regions()) {
    assert.match(code, /^[A-Z]{2}$/);
    assert.ok(enName.length > 2 && enName !== code, code);
  }
  assert.equal(regions().find(({ code }) => code === 'AD')?.enName, 'Andorra');
});
