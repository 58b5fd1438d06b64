// All operations. Listing an operation in its resource adds it to the node's panel, its dispatch and the
// documentation.

import type { Resource } from '../operation';
import { address } from './address';
import { cart } from './cart';
import { session } from './session';
import { zipcode } from './zipcode';

export const resources: Resource[] = [address, cart, session, zipcode];
