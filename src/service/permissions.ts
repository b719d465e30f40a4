/**
 * Permissions, and the default roles of a new organization (service-api-v1.md, "Roles and permissions"). The API
 * document shows only Create and Update on Book; the other resources, operations and roles are invented.
 */
import type { OrganizationType } from '../contract/shared.js';
import type { Permission, Role } from './store/records.js';

const EVERYWHERE: readonly Permission[] = [
  ...permissionsOn('Book', 'Create', 'Update'),
  ...permissionsOn('Reader', 'Create', 'Update'),
  ...permissionsOn('File', 'Create'),
  ...permissionsOn('License', 'Create', 'Update', 'Delete'),
  ...permissionsOn('Subscription', 'Create', 'Update'),
  ...permissionsOn('Class', 'Create', 'Update', 'Delete'),
  ...permissionsOn('User', 'Create', 'Update', 'Delete'),
];

const DISTRIBUTORS_ONLY: readonly Permission[] = [
  ...permissionsOn('Publisher', 'Create', 'Update'),
  ...permissionsOn('School', 'Create', 'Update'),
];

const EDITING: readonly Permission[] = [
  ...permissionsOn('Book', 'Create', 'Update'),
  ...permissionsOn('Reader', 'Create', 'Update'),
  ...permissionsOn('File', 'Create'),
];

const TEACHING: readonly Permission[] = [
  ...permissionsOn('Reader', 'Create', 'Update'),
  ...permissionsOn('File', 'Create'),
  ...permissionsOn('Class', 'Create', 'Update', 'Delete'),
];

function permissionsOn(resource: string, ...operations: readonly string[]): Permission[] {
  return operations.map((operation) => ({ resource, operation }));
}

/** The default roles of an organization of this type, the one with the most permissions first. */
export function defaultRoles(type: OrganizationType): readonly Pick<Role, 'name' | 'permissions'>[] {
  const administrator = type === 'Distributor' ? [...EVERYWHERE, ...DISTRIBUTORS_ONLY] : EVERYWHERE;
  return [
    { name: 'Administrator', permissions: administrator },
    type === 'School' ? { name: 'Teacher', permissions: TEACHING } : { name: 'Editor', permissions: EDITING },
    // Reading needs no permission: it depends only on organization and ownership.
    { name: 'Viewer', permissions: [] },
  ];
}
