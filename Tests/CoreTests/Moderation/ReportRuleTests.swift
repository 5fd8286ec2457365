import FeedCore
import Testing

struct ReportRuleTests {
    private static func isAccepted(rules: Set<Int64> = [1, 2], _ edit: (inout ReportDraft) -> Void) -> Bool {
        var draft = ReportDraft(targetID: 1)
        edit(&draft)
        do { try ReportRule.check(draft, rules: rules) } catch { return false }
        return true
    }

    @Test func reportsAreBounded() {
        #expect(Self.isAccepted { _ in })
        #expect(Self.isAccepted { $0.comment = String(repeating: "é", count: 1000) })
        #expect(!Self.isAccepted { $0.comment = String(repeating: "x", count: 1001) })
        #expect(!Self.isAccepted { $0.comment = "e" + String(repeating: "\u{301}", count: 5000) })
        #expect(Self.isAccepted { $0.statusIDs = Array(1...40) })
        #expect(!Self.isAccepted { $0.statusIDs = Array(1...41) })
        #expect(Self.isAccepted { $0.ruleIDs = [2, 1] })
        #expect(!Self.isAccepted { $0.ruleIDs = [1, 3] })
        #expect(!Self.isAccepted(rules: []) { $0.ruleIDs = [1] })
    }

    @Test func reportsThatReferToRulesAreViolations() {
        #expect(ReportRule.category(nil, ruleIDs: []) == .other)
        #expect(ReportRule.category(nil, ruleIDs: [1]) == .violation)
        for category in Report.Category.allCases {
            #expect(ReportRule.category(category, ruleIDs: []) == category)
            #expect(ReportRule.category(category, ruleIDs: [1]) == .violation)
        }
    }

    @Test func reportedStatusesBelongToTheAccount() {
        let (ada, bob) = (Account(id: 1, username: "ada", createdAt: 0), Account(id: 2, username: "bob", createdAt: 0))
        var status = Status(id: 5, account: ada, createdAt: 0, text: "", content: "")
        #expect(ReportRule.accepts(status, of: 1) && !ReportRule.accepts(status, of: 2))
        // A boost belongs to its booster.
        status.boost = Status.Boost(id: 6, account: bob, createdAt: 0, visibility: .public)
        #expect(!ReportRule.accepts(status, of: 1) && ReportRule.accepts(status, of: 2))
    }
}
