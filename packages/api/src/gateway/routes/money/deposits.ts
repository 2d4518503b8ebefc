/** Deposit addresses, and the questionnaire of a deposit under the Travel Rule. */

import type { Chain, Currency, Questionnaire } from '@bourse/core';
import { shortened, submit } from '@bourse/engine';
import { Type, wordOf } from '../../schema.ts';
import {
  checkComplianceInfo,
  COMPLIANCE_INFO,
  type SenderType,
  regions,
} from '../../money/compliance-info.ts';
import { explain } from '../../errors/explain.ts';
import { markedId, parseMarkedId } from '../../ids.ts';
import { Refusal } from '../../errors/refusal.ts';
import { route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';
import { createAddress, readAddresses } from './address-book.ts';
import { chainNamed, chainOf, currencyNamed } from './chains.ts';

const text = Type.String();

const ADDRESS_SCHEMA = Type.Object({ address: text, memo: text, chain: text, contractAddress: text });

export function depositRoutes(services: Services): Route[] {
  return [...addressRoutes(services), ...questionnaireRoutes(services)];
}

function addressRoutes(services: Services): Route[] {
  const { catalogue } = services;
  return [
    route({
      id: 'list-deposit-addresses',
      method: 'GET',
      path: '/api/v2/deposit-addresses',
      summary: "The caller's deposit addresses for a currency; empty until one is created.",
      access: 'general',
      pool: 'manage',
      weight: 5,
      shape: 'bare',
      query: {
        currency: text,
        chain: Type.Optional(
          Type.String({ description: 'In the family dialect: only addresses of this chain.' }),
        ),
      },
      answer: Type.Array(ADDRESS_SCHEMA),
      async handle({ user, query, dialect }) {
        const currency = currencyNamed(catalogue, query.currency);
        const addresses = await readAddresses(services, user, currency);
        return addresses
          .map(({ address, memo, chain }) =>
            shown(address, memo, chainOf(currency, chain), currency, dialect.isLiteral),
          )
          .filter(
            ({ chain }) =>
              dialect.isLiteral || !query.chain || chain === chainNamed(currency, query.chain)?.chainName,
          );
      },
    }),
    route({
      id: 'create-deposit-address',
      method: 'POST',
      path: '/api/v1/deposit-addresses',
      summary: 'Creates the deposit address for a currency on a chain. There is only one.',
      access: 'general',
      pool: 'manage',
      weight: 20,
      shape: 'A',
      body: { currency: text, chain: Type.Optional(text) },
      answer: ADDRESS_SCHEMA,
      async handle(call) {
        const { address, memo, chain, currency } = await createAddress(services, call);
        return shown(address, memo, chain, currency, call.dialect.isLiteral);
      },
    }),
  ];
}

function shown(
  address: string,
  memo: string,
  { chainId, chainName, contractAddress }: Pick<Chain, 'chainId' | 'chainName' | 'contractAddress'>,
  currency: Currency,
  isLiteral: boolean,
) {
  const detail = { address, memo, chain: chainName, contractAddress };
  return isLiteral ? detail : { ...detail, chainId, to: 'MAIN', currency: currency.code };
}

function questionnaireRoutes({ port, catalogue }: Services): Route[] {
  return [
    route({
      id: 'submit-questionnaire',
      method: 'POST',
      path: '/api/v1/deposit/compliance/info',
      summary: 'Submits the Travel Rule questionnaire of a waiting deposit.',
      access: 'general',
      pool: 'questionnaire',
      weight: 1,
      shape: 'B',
      body: {
        travelRuleOId: text,
        type: wordOf('individual', 'company'),
        complianceInfo: COMPLIANCE_INFO,
      },
      answer: Type.Object({
        orderId: text,
        travelRuleOId: text,
        status: Type.Union([Type.Literal('pending'), Type.Literal('success'), Type.Literal('fail')]),
        failureCode: Type.Union([text, Type.Null()]),
      }),
      async handle({ user, body, once }) {
        const { travelRuleOId, type, complianceInfo } = body;
        if (type !== 'individual' && type !== 'company') {
          throw new Refusal(
            'parameter-invalid',
            `type is '${shortened(type)}': it must be individual or company.`,
          );
        }
        checkComplianceInfo(type satisfies SenderType, complianceInfo);
        const { outcome } = await submit(
          port,
          {
            kind: 'submit-questionnaire',
            user,
            travelRuleId: Math.max(0, parseMarkedId('travel-rule', travelRuleOId)),
            senderType: type,
            info: complianceInfo,
            ...(once && { once }),
          },
          user,
        );
        if (outcome.kind === 'rejected') throw explain(outcome.rejection, catalogue);
        if (outcome.kind !== 'added') throw new Error(`a questionnaire came to '${outcome.kind}'`);
        const { id } = outcome;
        // An operator may have decided it already.
        const { state, failureCode } = await port.read(
          ({ reference }) => reference.questionnaire(id) as Questionnaire,
        );
        const orderId = markedId('questionnaire', id);
        return { orderId, travelRuleOId, status: state, failureCode: failureCode || null };
      },
    }),
    regionsRoute('list-regions', '/kyc/regions/v4'),
    // For clients that prefix every path with /api.
    regionsRoute('list-regions-below-api', '/api/kyc/regions/v4'),
  ];
}

const regionsRoute = (id: string, path: string): Route =>
  route({
    id,
    method: 'GET',
    path,
    summary: 'The regions that a questionnaire may contain.',
    access: 'public',
    pool: 'public',
    weight: 3,
    shape: 'A',
    answer: Type.Array(Type.Object({ code: text, enName: text })),
    handle: () => regions(),
  });
