/** What is wrong with a field, with buttons for the values that would be right. */

import type { DraftField, Violation } from './order-rules.ts';

export interface FieldErrorProps {
  readonly violation: Violation;
  readonly onFix: (value: string) => void;
}

export function FieldError({ violation, onFix }: FieldErrorProps) {
  return (
    <>
      {violation.text}
      {violation.fixes.map((fix) => (
        <button
          key={fix}
          type="button"
          onClick={() => onFix(fix)}
          className="ml-1.5 rounded border border-danger px-1 font-medium hover:bg-danger-tint"
        >
          Use {fix}
        </button>
      ))}
    </>
  );
}

export const violationOf = (wrong: readonly Violation[], field: DraftField): Violation | undefined =>
  wrong.find((each) => each.field === field);
