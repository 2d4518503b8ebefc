/** "Show me": the request of an action as code that a bot would run. */

import { useState } from 'react';
import { useSession } from '../session/session.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Drawer } from '../ui/dialog.tsx';
import { Scrolled } from '../ui/panel.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { showToast } from '../ui/toast.tsx';
import type { Action } from '../user/actions.ts';
import { snippets } from './code.ts';

export interface ShowMeButtonProps {
  readonly action: Action;
  readonly size?: 'small' | 'medium' | 'large';
}

export function ShowMeButton({ action, size = 'medium' }: ShowMeButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <IconButton
        icon="code"
        kind={size === 'small' ? 'quiet' : 'neutral'}
        size={size}
        label={`Show me: ${action.title} in code`}
        className={size === 'large' ? 'w-10' : ''}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && <ShowMe action={action} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function ShowMe({ action, onClose }: { readonly action: Action; readonly onClose: () => void }) {
  const session = useSession();
  const [name, setName] = useState('curl');
  const code = snippets(action, {
    url: location.origin,
    credentials: session?.isPublished === true ? session.credentials : null,
  });
  const copy = (text: string): void => {
    navigator.clipboard.writeText(text).then(
      () => showToast('done', 'Copied'),
      () =>
        showToast(
          'refused',
          'Not copied',
          'The browser did not allow it. Select the text and copy it by hand.',
        ),
    );
  };
  return (
    <Drawer
      isOpen
      onOpen={(isOpen) => isOpen || onClose()}
      title={`Show me: ${action.title}`}
      about={
        <>
          <code className="font-mono">
            {action.method} {action.path}
          </code>
          , signed, as a bot would send it.{' '}
          {session?.isPublished !== true && 'Put your own key in: it is not shown here.'}
        </>
      }
    >
      <Tabs
        label="Language"
        value={name}
        onValue={setName}
        tabs={code.map((snippet) => ({
          value: snippet.name,
          label: snippet.name,
          content: (
            <div className="relative">
              <Scrolled label={`Code: ${snippet.name}`} className="mt-3 rounded-md bg-raised">
                <pre className="p-3 font-mono text-xs leading-5">{snippet.text}</pre>
              </Scrolled>
              <Button size="small" className="mt-2" onClick={() => copy(snippet.text)}>
                Copy
              </Button>
            </div>
          ),
        }))}
      />
    </Drawer>
  );
}
