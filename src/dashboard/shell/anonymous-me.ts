import type { Me } from '@/modules/accounts/schemas';

/**
 * A user without access to anything. The server renders the dashboard for this user at startup, to
 * load the code.
 */
export const ANONYMOUS_USER: Me = {
  user: {
    id: '',
    name: '',
    email: '',
    email_verified: true,
    two_factor_enabled: false,
    role: 'manager',
    sees_guests: true,
    locale: null,
  },
  team: { id: '', name: '', plan: 'free' },
  teams: [],
  mode: 'live',
  mail_is_sent: true,
  channel_names: { channel_a: '', channel_b: '', channel_c: '' },
  operator: false,
};
