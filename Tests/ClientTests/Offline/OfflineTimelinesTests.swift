import GRDB
import Testing

@testable import FeedClientKit

@Suite(.timeLimit(.minutes(15)))
struct OfflineTimelinesTests {
    @Test(
        arguments: [
            (.SQLITE_FULL, "Free some space"), (.SQLITE_IOERR_WRITE, "Free some space"),
            (.SQLITE_CANTOPEN, "Check who owns"), (.SQLITE_READONLY, "Check who owns"),
        ] as [(ResultCode, String)])
    func hintMatchesTheCause(code: ResultCode, hint: String) {
        let error = OfflineTimelines.failure("open", "/x", DatabaseError(resultCode: code))
        #expect(error.code == .disk && error.hint?.hasPrefix(hint) == true)
    }
}
