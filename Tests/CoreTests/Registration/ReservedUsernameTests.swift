import FeedCore
import Testing

struct ReservedUsernameTests {
    @Test(arguments: [
        "admin", "Admin", "ADMIN", "_admin_", "ad_min", "adm1n", "admln", "adrnin", "root", "r00t", "R0OT", "support",
        "5upport", "postmaster", "webmaster", "vvebmaster", "abuse", "security", "api", "ap1", "oauth", "feed",
        "no_reply",
        "mailer_daemon", "me",
    ])
    func reservedNamesAndTheirLookalikesAreRestricted(name: String) {
        #expect(ReservedUsername.contains(name, blocked: []))
    }

    @Test(arguments: ["ada", "adam", "administrate", "rooted", "bob_support_fan", "o", "_", "0", "fee", "alice1"])
    func otherNamesAreFree(name: String) { #expect(!ReservedUsername.contains(name, blocked: [])) }

    @Test func blockedNamesAreComparedLikeReservedOnes() {
        let blocked: Set<String> = ["Mallory", "ace_0"]
        for name in ["mallory", "MALLORY", "ma11ory", "mal_lory", "aceo", "ACE0"] {
            #expect(ReservedUsername.contains(name, blocked: blocked), "\(name)")
        }
        for name in ["malory", "mallory2", "ace"] {
            #expect(!ReservedUsername.contains(name, blocked: blocked), "\(name)")
        }
    }
}
