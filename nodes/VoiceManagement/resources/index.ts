// All operations: an operation that is listed by its resource is in the node's panel, in its dispatch and in the
// documentation.

import type { Resource } from '../operation';
import { address } from './address';
import { cart } from './cart';
import { session } from './session';
import { zipcode } from './zipcode';

export const resources: Resource[] = [address, cart, session, zipcode];
