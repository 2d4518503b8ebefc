/** Fields that the forms of API keys share, a person's own keys and the keys of sub-accounts. */

import { useOwnAddress } from '../exchange/market-data.ts';
import { Checkbox, TextField } from '../ui/field.tsx';

/** The entered addresses, separated by commas or spaces. */
export const addressesOf = (text: string): readonly string[] =>
  text.split(/[\s,]+/).filter((each) => each !== '');

interface AllowedAddressesProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

export function AllowedAddresses({ value, onValue }: AllowedAddressesProps) {
  const ownAddress = useOwnAddress().data;
  return (
    <TextField
      label="Allowed IP addresses"
      value={value}
      onValue={onValue}
      hint={`Separated by commas; empty allows any.${ownAddress === undefined ? '' : ` Yours is ${ownAddress}.`}`}
    />
  );
}

interface PermissionsProps<Name extends string> {
  readonly choices: readonly Name[];
  readonly granted: readonly string[];
  readonly onGranted: (granted: readonly Name[]) => void;
  /** What the form still needs before it can be sent. */
  readonly needed: readonly string[];
}

export function Permissions<Name extends string>({
  choices,
  granted,
  onGranted,
  needed,
}: PermissionsProps<Name>) {
  return (
    <>
      <div role="group" aria-label="Permissions" className="flex flex-wrap gap-x-4 gap-y-1">
        {choices.map((name) => (
          <Checkbox
            key={name}
            label={name}
            isChecked={granted.includes(name)}
            onChecked={(isGranted) =>
              onGranted(choices.filter((each) => (each === name ? isGranted : granted.includes(each))))
            }
          />
        ))}
      </div>
      <p aria-live="polite" className="min-h-4 text-xs text-muted">
        {needed.length > 0 && `Still needed: ${needed.join(', ')}.`}
      </p>
    </>
  );
}
