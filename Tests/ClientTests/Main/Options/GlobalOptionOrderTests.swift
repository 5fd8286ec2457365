import TestKit
import Testing

@testable import feedclient

@Suite(.hangLimit)
struct GlobalOptionOrderTests {
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

    @Test(
        arguments: [
            (["timeline", "-n1"], ["timeline", "-n", "1"]), (["timeline", "-n", "1"], ["timeline", "-n", "1"]),
            (["search", "x", "-n40", "--json"], ["search", "x", "-n", "40", "--json"]),
            (["download", "a", "-ob.txt"], ["download", "a", "-o", "b.txt"]),
            (["download", "-ilist", "-o", "d"], ["download", "-i", "list", "-o", "d"]),
            (["timeline", "-nx"], ["timeline", "-nx"]),
            (["search", "--", "-n1"], ["search", "--", "-n1"]), (["post", "-n1"], ["post", "-n1"]),
            (["download", "-o", "-n1x"], ["download", "-o", "-n1x"]), (["timeline", "-n=1"], ["timeline", "-n=1"]),
            ([], []),
        ] as [([String], [String])])
    func valueIsSeparated(arguments: [String], separated: [String]) {
        #expect(ShortOptionValue.separated(arguments) == separated)
    }
}
