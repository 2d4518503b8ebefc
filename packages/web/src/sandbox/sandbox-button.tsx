/** Opens the sandbox's drawer; a venue has no such button. What is in it is loaded when it is opened. */

import { lazy, Suspense, useState } from 'react';
import { useIsSandbox } from '../session/sandbox.ts';
import { IconButton } from '../ui/button.tsx';
import { Drawer } from '../ui/dialog.tsx';
import { Loading } from '../ui/states.tsx';

const SandboxDrawer = lazy(() => import('./sandbox-drawer.tsx'));

export function SandboxButton() {
  const isSandbox = useIsSandbox();
  const [isOpen, setIsOpen] = useState(false);
  if (isSandbox !== true) return null;
  return (
    <>
      <IconButton icon="flask" label="Sandbox" onClick={() => setIsOpen(true)} />
      <Drawer
        isOpen={isOpen}
        onOpen={setIsOpen}
        title="Sandbox"
        about="Time, market, faults and worlds of this exchange. None of it exists at a venue."
      >
        <Suspense fallback={<Loading label="Loading the sandbox" />}>
          <SandboxDrawer />
        </Suspense>
      </Drawer>
    </>
  );
}
