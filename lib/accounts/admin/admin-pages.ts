/** The pages of the admins, in the order of their menu. */
export const adminPages = [
  ['/admin', 'Status'],
  ['/admin/members', 'Members'],
  ['/admin/groups', 'Groups'],
  ['/admin/keys', 'Keys'],
  ['/admin/requests', 'Requests'],
  ['/admin/usage', 'Usage'],
  ['/admin/upstreams', 'Upstreams'],
  ['/admin/events', 'Events'],
  ['/admin/webhooks', 'Webhooks'],
  ['/admin/deliveries', 'Deliveries'],
  ['/admin/log', 'Log'],
] as const;
