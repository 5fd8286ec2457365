import FeedCore
import Testing

struct RegistrationRuleTests {
    enum Outcome: Equatable {
        case create, awaitApproval, forbidden, badInvitation
    }

    static let rows: [(mode: RegistrationPolicy.Mode, outcomes: [RegistrationRule.Invitee: Outcome])] = [
        (.closed, [.uninvited: .forbidden, .invited: .forbidden, .invalidInvitation: .forbidden]),
        (.open, [.uninvited: .create, .invited: .create, .invalidInvitation: .badInvitation]),
        (.approval, [.uninvited: .awaitApproval, .invited: .create, .invalidInvitation: .badInvitation]),
        (.invite, [.uninvited: .forbidden, .invited: .create, .invalidInvitation: .badInvitation]),
    ]

    private static func outcome(
        _ mode: RegistrationPolicy.Mode, _ invitee: RegistrationRule.Invitee
    ) throws -> Outcome {
        do {
            return try RegistrationRule.decide(mode, invitee) == .create ? .create : .awaitApproval
        } catch let refusal as RegistrationError {
            #expect(refusal == RegistrationError(errors: [(.invitation, .invalid)]))
            return .badInvitation
        } catch let error as FeedError {
            #expect(error.kind == .forbidden && error.hint != nil)
            return .forbidden
        }
    }

    @Test func modeAndInvitationDecide() throws {
        #expect(Self.rows.map(\.mode) == RegistrationPolicy.Mode.allCases)
        for (mode, outcomes) in Self.rows {
            for invitee in RegistrationRule.Invitee.allCases {
                #expect(try Self.outcome(mode, invitee) == outcomes[invitee], "\(mode) \(invitee)")
            }
        }
    }
}
