import Testing

@testable import feedclient

@Suite(.timeLimit(.minutes(15)))
struct LeadingDashTests {
    @Test(
        arguments: [
            (["post", "-dash"], true), (["post", "--no idea"], true), (["post", "--json", "- a list"], true),
            (["post", "--", "-dash"], false), (["post", "-h"], false), (["post", "--server=x", "-"], false),
            (["post", "a-b"], false), (["show", "-dash"], false), ([], false),
        ] as [([String], Bool)])
    func textsWithALeadingDashAreDetected(arguments: [String], isOne: Bool) {
        #expect(LeadingDash.isLikely(arguments) == isOne)
    }
}
