/**
 * The Travel Rule: a deposit's status in the owner's lists and feed, and its questionnaire. The status is WAIT_TRM_MGT
 * until the questionnaire is submitted, PROCESSING during the review, TRM_MGT_REJECTED if it was rejected and may be
 * submitted again, and RETURNED if the money was sent back.
 */

import type { Deposit } from '@bourse/core';
import { shortened } from '@bourse/engine';
import { formatMoney } from '../decimals.ts';
import { Refusal } from '../errors/refusal.ts';
import { markedId } from '../ids.ts';
import { Type } from '../schema.ts';

type State = Deposit['state'];

const STATUSES: Readonly<Record<State, string>> = {
  waiting: 'WAIT_TRM_MGT',
  review: 'PROCESSING',
  refused: 'TRM_MGT_REJECTED',
  done: 'SUCCESS',
  returned: 'RETURNED',
};
const QUESTIONNAIRE_STATUSES: Readonly<Record<State, string | null>> = {
  waiting: null,
  review: 'pending',
  refused: 'fail',
  done: 'success',
  returned: 'fail',
};

/** Valid status filters; any other status has no deposits. PROCESSING matches every deposit not yet credited. */
export const DEPOSIT_FILTERS: ReadonlyMap<string, readonly State[]> = new Map([
  ['PROCESSING', ['waiting', 'review', 'refused']],
  ['WAIT_TRM_MGT', ['waiting']],
  ['TRM_MGT_REJECTED', ['refused']],
  ['SUCCESS', ['done']],
  ['RETURNED', ['returned']],
]);

const words = (...all: string[]) => Type.Union(all.map((each) => Type.Literal(each)));
const orNull = (schema: ReturnType<typeof words>, description: string) =>
  Type.Union([...schema.anyOf, Type.Null()], { description });

export const DEPOSIT_STATUS = {
  status: words(...Object.values(STATUSES)),
  travelRuleOId: Type.Union([Type.String(), Type.Null()], {
    description: 'The id that the questionnaire names; null if none is required.',
  }),
  questionnaireStatus: orNull(
    words('pending', 'success', 'fail'),
    'null if none is required, and until it is submitted.',
  ),
  failureCode: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the questionnaire failed; null unless the deposit is TRM_MGT_REJECTED.',
  }),
};

export function depositStatus({ state, travelRuleId, failureCode = '' }: Deposit) {
  const isAsked = travelRuleId > 0;
  return {
    status: STATUSES[state],
    travelRuleOId: isAsked ? markedId('travel-rule', travelRuleId) : null,
    questionnaireStatus: isAsked ? QUESTIONNAIRE_STATUSES[state] : null,
    failureCode: failureCode || null,
  };
}

/** The gross amount of a deposit, and the fee deducted when it is credited. */
export function depositAmounts({ amount, fee = 0n }: Deposit, scale: number) {
  return { amount: formatMoney(amount, scale), fee: formatMoney(fee, scale) };
}

// The Travel Rule questionnaire, sent as JSON in a string: who sent the money, and why. Every field is checked before
// the deposit is, so that an invalid form is explained even if the deposit does not exist.

const about = (description: string) => Type.Optional(Type.String({ description }));

export type SenderType = 'individual' | 'company';

const REQUIRED: Readonly<Record<SenderType, readonly string[]>> = {
  individual: ['firstName', 'lastName', 'identityType', 'identityNo'],
  company: ['companyName', 'tin'],
};
const ALWAYS = ['reasonOfTransfer', 'wallet'];
/** Every field of the form, for the documentation. */
export const COMPLIANCE_INFO = Type.String({
  description: 'The questionnaire: a JSON object written as a string.',
  contentMediaType: 'application/json',
  contentSchema: Type.Object({
    companyName: about('The name; required for a company.'),
    tin: about('The tax number; required for a company.'),
    firstName: about('Required for an individual.'),
    lastName: about('Required for an individual.'),
    identityType: Type.Optional(
      Type.String({
        enum: ['TCKN', 'PASSPORT'],
        description: 'Required for an individual: TCKN if the country is TR, otherwise PASSPORT.',
      }),
    ),
    identityNo: about('The number of the identity document; required for an individual.'),
    country: about('A code from GET /kyc/regions/v4.'),
    reasonOfTransfer: Type.String({ description: 'Why the money was sent.' }),
    wallet: Type.String({
      description: 'A personal wallet, or the name of the exchange that it was sent from.',
    }),
  }),
});

const FIELD_LENGTH_MAX = 256;
const INFO_LENGTH_MAX = 10_000;
const TURKEY = 'TR';

export function checkComplianceInfo(sender: SenderType, text: string): void {
  const info = parse(text);
  for (const field of [...REQUIRED[sender], ...ALWAYS]) {
    const value = info[field];
    if (value === undefined || (typeof value === 'string' && value.trim() === '')) {
      throw wrong(`complianceInfo.${field} is missing: a sender of type ${sender} needs it`);
    }
  }
  for (const [field, value] of Object.entries(info)) {
    if (typeof value !== 'string') throw wrong(`complianceInfo.${field} must be a string`);
    if (value.length > FIELD_LENGTH_MAX) {
      throw wrong(`complianceInfo.${field} must have at most ${FIELD_LENGTH_MAX} characters`);
    }
  }
  const { country, identityType, identityNo } = info as Record<string, string | undefined>;
  if (country && !isRegion(country)) {
    throw wrong(`complianceInfo.country is '${shortened(country)}': use a code from GET /kyc/regions/v4`);
  }
  if (sender === 'individual') checkIdentity(country, identityType as string, identityNo as string);
}

/** Members that are null are unset, and omitted. */
function parse(text: string): Record<string, unknown> {
  if (text.length > INFO_LENGTH_MAX) {
    throw wrong(`complianceInfo must have at most ${INFO_LENGTH_MAX} characters`);
  }
  let info: unknown;
  try {
    info = JSON.parse(text);
  } catch {
    throw wrong('complianceInfo must be a JSON object written as a string');
  }
  if (typeof info !== 'object' || info === null || Array.isArray(info)) {
    throw wrong('complianceInfo must be a JSON object written as a string');
  }
  return Object.fromEntries(Object.entries(info).filter(([, value]) => value !== null));
}

function checkIdentity(country: string | undefined, type: string, number: string): void {
  const expected = country === TURKEY ? 'TCKN' : 'PASSPORT';
  if (type !== expected) {
    throw wrong(
      `complianceInfo.identityType is '${shortened(type)}': with country '${shortened(country ?? '')}' it must be ${expected}`,
    );
  }
  if (type === 'TCKN' && !isTurkishIdentityNumber(number)) {
    throw wrong(
      'complianceInfo.identityNo is not a TCKN: 11 digits, the first not 0, the last two a checksum',
    );
  }
}

/** Digit 10 is (7·(d1+d3+d5+d7+d9) − (d2+d4+d6+d8)) mod 10, digit 11 the sum of the first ten mod 10. */
export function isTurkishIdentityNumber(text: string): boolean {
  if (!/^[1-9]\d{10}$/.test(text)) return false;
  const digits = Array.from(text, Number);
  const sum = (at: readonly number[]) => at.reduce((total, index) => total + digits[index], 0);
  const tenth = (((7 * sum([0, 2, 4, 6, 8]) - sum([1, 3, 5, 7])) % 10) + 10) % 10;
  const eleventh = sum([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) % 10;
  return digits[9] === tenth && digits[10] === eleventh;
}

const wrong = (detail: string): Refusal => new Refusal('parameter-invalid', `${detail}.`);

const CODES =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO ' +
  'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE ' +
  'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
  'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW ' +
  'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM ' +
  'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW';

/** Regions a sender may be from: the assigned two-letter codes of ISO 3166-1, with English names. */
export interface Region {
  readonly code: string;
  readonly enName: string;
}

const known = new Set(CODES.split(' '));

const isRegion = (code: string): boolean => known.has(code);

let named: readonly Region[] | undefined;

/** Built on the first call: loading the names takes longer than everything else in this folder. */
export function regions(): readonly Region[] {
  if (named === undefined) {
    const names = new Intl.DisplayNames('en', { type: 'region' });
    named = Array.from(known, (code) => ({ code, enName: names.of(code) as string }));
  }
  return named;
}
