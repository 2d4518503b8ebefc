/** Who one is, what the key may do, and being somebody else. */

import { useState } from 'react';
import { useLocation } from 'wouter';
import { SignInDialog } from '../session/sign-in.tsx';
import { signOut, useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { useUserInfo } from '../user/user-queries.ts';

export function UserMenu() {
  const session = useSession();
  const [, navigate] = useLocation();
  const [isSigningIn, setIsSigningIn] = useState(false);
  return (
    <div data-focus-place>
      {session === null ? (
        <Button kind="primary" onClick={() => setIsSigningIn(true)}>
          Sign in
        </Button>
      ) : (
        <Menu
          trigger={
            <Button aria-label={`Signed in as ${session.name}`}>
              <Icon name="user" />
              <span className="max-w-32 truncate max-sm:hidden">{session.name}</span>
              <span className="max-sm:hidden">
                <Icon name="chevronDown" />
              </span>
            </Button>
          }
        >
          <MenuLabel>
            {session.key.isMaster ? 'Master account' : 'Sub-account'}, may:{' '}
            {session.key.permission.replaceAll(',', ', ')}
          </MenuLabel>
          <UserFacts />
          <MenuLine />
          {session.isPerson && (
            <MenuItem onSelect={() => navigate('/account')}>
              <Icon name="shield" /> Account and security
            </MenuItem>
          )}
          <MenuItem onSelect={() => setIsSigningIn(true)}>
            <Icon name="user" /> Switch user
          </MenuItem>
          <MenuItem onSelect={signOut}>
            <Icon name="exit" /> Sign out
          </MenuItem>
        </Menu>
      )}
      <SignInDialog isOpen={isSigningIn} onOpen={setIsSigningIn} />
    </div>
  );
}

/** Rendered, and so asked for, while the menu is open. */
function UserFacts() {
  const info = useUserInfo().data;
  if (info === undefined) return null;
  return (
    <MenuLabel>
      Level {info.level}; {info.subQuantity} of at most {info.maxSubQuantity} sub-accounts
    </MenuLabel>
  );
}
