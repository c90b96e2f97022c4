/** Before each file of the project `postgresql`: the connections of its datasets end with it. */
import { endDatabasesAfterAll } from './pushed.js';

endDatabasesAfterAll();
