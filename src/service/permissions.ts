/** The default roles of a new organization, invented but for Create and Update on Book (service-api-v1.md, "Roles"). */
import type { OrganizationType } from '../contract/shared.js';
import type { Permission, Role } from './store/records.js';

/** @param all resources with their operations: `Book: Create Update` */
const permissions = (...all: readonly string[]): Permission[] =>
  all.flatMap((one) => {
    const [resource = '', ...operations] = one.split(/:? /);
    return operations.map((operation) => ({ resource, operation }));
  });

const UPLOADS = ['Reader: Create Update', 'File: Create'];
const CLASSES = 'Class: Create Update Delete';
const EDITING = permissions('Book: Create Update', ...UPLOADS);
const TEACHING = permissions(...UPLOADS, CLASSES);
const EVERYWHERE = [
  ...EDITING,
  ...permissions('License: Create Update Delete', 'Subscription: Create Update', CLASSES, 'User: Create Update Delete'),
];
const DISTRIBUTORS_ONLY = permissions('Publisher: Create Update', 'School: Create Update');

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
