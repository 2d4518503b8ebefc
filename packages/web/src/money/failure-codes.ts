/** Failure codes of questionnaires. The exchange accepts any code; these are offered to operators and explained to users. */

export const FAILURE_CODES: ReadonlyMap<string, string> = new Map([
  ['sender-unclear', 'It is not clear who sent the money. Give the full name of the sender.'],
  ['sender-not-owner', 'The sender is not the owner of this account. Describe how you are related.'],
  ['identity-wrong', 'The number of the identity document is wrong or does not belong to the sender.'],
  ['wallet-unclear', 'It is not clear where the money came from. Name the wallet or the exchange.'],
  ['reason-unclear', 'The reason of the transfer is missing or too vague.'],
  ['documents-needed', 'Documents are required. Support will contact you.'],
]);

/** Adds the explanation to a known code. */
export function explainFailure(code: string): string {
  const about = FAILURE_CODES.get(code);
  return about === undefined ? code : `${code}: ${about}`;
}
