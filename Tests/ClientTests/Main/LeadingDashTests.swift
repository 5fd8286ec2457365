import TestKit
import Testing

@testable import feedclient

@Suite(.hangLimit)
struct LeadingDashTests {
    @Test(
        arguments: [
            (["post", "-dash"], true), (["post", "--no idea"], true), (["post", "--json", "- a list"], true),
            (["post", "--", "-dash"], false), (["post", "-h"], false), (["post", "--server=x", "-"], false),
            (["post", "a-b"], false), (["show", "-dash"], false), ([], false), (["reply", "1", "-dash"], true),
            (["edit", "1", "--", "-dash"], false), (["post", "--as", "@ada", "--poll", "x", "--poll=y"], false),
            (["search", "-5"], true),
        ] as [([String], Bool)])
    func textsWithALeadingDashAreDetected(arguments: [String], isOne: Bool) {
        #expect(LeadingDash.isLikely(arguments) == isOne)
    }

    @Test func hintNamesTheCommand() {
        #expect(LeadingDash.hint(["reply", "1", "-x"]).contains("feedclient reply REF -- "))
        #expect(LeadingDash.hint(["post", "-x"]).contains("feedclient post -- "))
    }
}
