/** Settings of the operator interface. */

import { Type } from '@bourse/api/basics';
import { about } from './about.ts';
import { LISTEN_PATTERN } from './operator-listen.ts';

const operator = about('Operator interface');

export const OPERATOR_ROWS = {
  operatorListen: Type.String({
    default: '',
    pattern: LISTEN_PATTERN,
    ...operator(
      'Where a venue listens for operators: the operator interface, the console and the metrics, which its public port does not serve. A port, `host:port`, or the path of a unix socket. Empty: 127.0.0.1:8081, or a free port where `port` is 0.',
    ),
    expects: 'a port, host:port, or a path with a slash such as /run/bourse/operator.sock',
  }),
  operatorPublicUrl: Type.String({
    default: '',
    pattern: '^(https?://[^/]+(/[^?#]*[^/?#])?)?$',
    ...operator(
      'URL by which operators of a venue reach that listener if it is not operatorListen, such as that of a proxy. Needs operatorRemote.',
    ),
    expects: 'a URL with http or https and no slash at the end',
  }),
  operatorRemote: Type.Boolean({
    default: false,
    ...operator('Serves operators on other machines too. Off by default, because a token is the only check.'),
  }),
  creditMax: Type.Record(Type.String(), Type.String({ pattern: '^[0-9]{1,20}([.][0-9]{1,18})?$' }), {
    default: { '*': '1000000000' },
    ...operator(
      'Largest single deposit that an operator may report, by currency code, `*` for all others: a guard against typing errors. The start warns about unknown codes.',
      'of the currency',
    ),
    expects: 'an object of decimals as strings, such as {"*":"100000","BTC":"10"}',
  }),
};
