import FeedCore
import TestKit
import Testing

/// The verdict on an attempt to redeem a code.
@Suite(.hangLimit)
struct CodeTests {
    /// RFC 7636, appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    struct Attempt: Sendable, CustomTestStringConvertible {
        var name: String
        var application: Int64 = 1
        var address: String? = "x://y"
        var verifier: String?
        var now: Int64 = 1000
        var isUsed = false
        var challenge: String?
        var verdict = AuthorizationCode.Verdict.refused

        var testDescription: String { name }
    }

    @Test(arguments: [
        Attempt(name: "in order", verdict: .granted),
        Attempt(name: "just in time", now: 600_999, verdict: .granted),
        Attempt(name: "too late", now: 601_000),
        Attempt(name: "another program", application: 2),
        Attempt(name: "another program with a used one", application: 2, isUsed: true),
        Attempt(name: "used", isUsed: true, verdict: .replayed),
        Attempt(name: "used, and late, and elsewhere", address: nil, now: 9_999_999, isUsed: true, verdict: .replayed),
        Attempt(name: "another address", address: "x://y/"),
        Attempt(name: "no address", address: nil),
        Attempt(name: "with its verifier", verifier: verifier, challenge: challenge, verdict: .granted),
        Attempt(name: "without its verifier", challenge: challenge),
        Attempt(name: "with another verifier", verifier: challenge, challenge: challenge),
        Attempt(name: "with a short verifier", verifier: "short", challenge: challenge),
        Attempt(name: "with a verifier and no challenge", verifier: verifier),
    ])
    func attemptsGetTheExpectedVerdict(attempt: Attempt) {
        let code = AuthorizationCode(
            applicationID: 1, accountID: 7, redirectURI: "x://y", scopes: .all, challenge: attempt.challenge,
            createdAt: 1000, isUsed: attempt.isUsed)
        #expect(
            code.verdict(
                applicationID: attempt.application, redirectURI: attempt.address, verifier: attempt.verifier,
                now: attempt.now) == attempt.verdict)
    }

    @Test func challengeMustHave43Characters() {
        #expect(AuthorizationCode.isBase64URL256(Self.challenge))
        for text in [
            "", Self.challenge + "x", String(Self.challenge.dropLast()) + "=", String(Self.challenge.dropLast()) + "+",
        ] {
            #expect(!AuthorizationCode.isBase64URL256(text), "\(text)")
        }
    }
}
