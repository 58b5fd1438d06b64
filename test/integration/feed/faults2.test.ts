import { describeFaults } from './faultCases';

describe('the feed on Socket.IO 2, when', () => describeFaults(2));
