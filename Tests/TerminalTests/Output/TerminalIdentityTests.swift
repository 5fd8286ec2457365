import TestKit
import Testing

@testable import FeedTerminal

@Suite(.hangLimit)
struct TerminalIdentityTests {
    @Test(arguments: [
        ("/dev/pts/3", 4711, "dev-pts-3-4711"), ("/dev/ttys001", 1, "dev-ttys001-1"), ("/dev/é../x", 7, "dev-x-7"),
    ])
    func nameIsThatOfDeviceAndSession(device: String, session: Int32, name: String) {
        #expect(TerminalIdentity.name(device: device, session: session) == name)
    }
}
