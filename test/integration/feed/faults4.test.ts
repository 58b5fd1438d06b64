import { describeFaults } from './faultCases';

describe('the feed on Socket.IO 4, when', () => describeFaults(4));
