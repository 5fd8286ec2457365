import FeedAPI
import FeedCore

/// The statistics of an instance.
struct InstanceCounts: Sendable {
    var accounts: Int
    var statuses: Int
    /// Accounts that posted in the last 30 and 180 days.
    var activeMonth: Int
    var activeHalfYear: Int
}

/// The content of both Instance entities and of NodeInfo.
struct InstanceDescription: Sendable {
    /// The version of the Mastodon API that this server follows; clients parse its three numbers.
    static let apiVersion = "4.3.0"
    /// The number that Mastodon 4.3.0 gives to its API in `api_versions`.
    static let apiNumber = 2

    let entities: EntityContext
    let site: SiteSettings
    /// The account that visitors may contact.
    let contact: Account?
    /// The version of feedserver.
    let serverVersion: String
    let counts: InstanceCounts
    /// The mode of registration.
    let registration: RegistrationPolicy.Mode
    let limits: Limits
    /// The limits on media; `nil` if the server does not accept any.
    let media: MediaLimits?

    var base: String { entities.base }
    var host: String { BaseURL.host(base) }
    /// The address of the streams. Clients append the path.
    var streaming: String { base.hasPrefix("http") ? "ws" + base.dropFirst(4) : base }
    var version: String { "\(Self.apiVersion) (compatible; feedserver \(serverVersion))" }
}

extension JSONWriter {
    /// Writes a V1::Instance entity.
    mutating func instanceV1(_ instance: InstanceDescription) {
        object {
            $0.field("uri", instance.host)
            $0.field("title", instance.site.title)
            $0.field("short_description", instance.site.text)
            // HTML, unlike the short description.
            $0.field("description", instance.site.text.escapedHTML)
            $0.field("email", instance.site.contactEmail ?? "")
            $0.field("version", instance.version)
            $0.object("urls") { $0.field("streaming_api", instance.streaming) }
            $0.object("stats") {
                $0.field("user_count", instance.counts.accounts)
                $0.field("status_count", instance.counts.statuses)
                $0.field("domain_count", 0)
            }
            $0.field("thumbnail", instance.base + "/assets/icon.svg")
            $0.list("languages", instance.site.languages)
            $0.field("registrations", instance.registration.isForEveryone)
            $0.field("approval_required", instance.registration == .approval)
            $0.field("invites_enabled", instance.registration != .closed)
            $0.object("configuration") { $0.bounds(instance) }
            $0.key("contact_account")
            $0.contact(instance)
            $0.key("rules")
            $0.rules(instance.site.rules)
        }
    }

    /// Writes an Instance entity.
    mutating func instanceV2(_ instance: InstanceDescription) {
        object {
            $0.field("domain", instance.host)
            $0.field("title", instance.site.title)
            $0.field("version", instance.version)
            // The source has no public URL yet, but the documented type is a URL.
            $0.field("source_url", instance.base)
            $0.field("description", instance.site.text)
            $0.object("usage") { $0.object("users") { $0.field("active_month", instance.counts.activeMonth) } }
            $0.thumbnail(instance)
            $0.empty("icon")
            $0.list("languages", instance.site.languages)
            $0.object("configuration") {
                $0.urls(instance)
                // Empty, as in the Application entity: there are no push notifications.
                $0.object("vapid") { $0.field("public_key", "") }
                $0.bounds(instance)
                $0.object("translation") { $0.field("enabled", false) }
                $0.access()
            }
            $0.registrations(instance)
            $0.object("api_versions") { $0.field("mastodon", InstanceDescription.apiNumber) }
            $0.object("contact") {
                $0.field("email", instance.site.contactEmail ?? "")
                $0.key("account")
                $0.contact(instance)
            }
            $0.key("rules")
            $0.rules(instance.site.rules)
        }
    }

    /// Writes NodeInfo 2.0. The schema requires a federation protocol; the list is empty because this server has none.
    mutating func nodeinfo(_ instance: InstanceDescription) {
        object {
            $0.field("version", "2.0")
            $0.object("software") {
                $0.field("name", "feedserver")
                $0.field("version", instance.serverVersion)
            }
            $0.empty("protocols")
            $0.object("services") {
                $0.empty("inbound")
                $0.empty("outbound")
            }
            $0.object("usage") {
                $0.object("users") {
                    $0.field("total", instance.counts.accounts)
                    $0.field("activeMonth", instance.counts.activeMonth)
                    $0.field("activeHalfyear", instance.counts.activeHalfYear)
                }
                $0.field("localPosts", instance.counts.statuses)
            }
            $0.field("openRegistrations", instance.registration.isForEveryone)
            $0.object("metadata") {
                $0.field("nodeName", instance.site.title)
                $0.field("nodeDescription", instance.site.text)
            }
        }
    }

    /// Writes an array of Rule entities.
    mutating func rules(_ rules: [String]) {
        array { json in
            for (index, text) in rules.enumerated() { json.rule(id: Int64(index + 1), text) }
        }
    }

    /// Writes a Rule entity.
    mutating func rule(id: Int64, _ text: String) {
        object {
            $0.field("id", id: id)
            $0.field("text", text)
            $0.field("hint", "")
        }
    }

    /// Writes the account that visitors may contact, or `null`.
    private mutating func contact(_ instance: InstanceDescription) {
        if let account = instance.contact { self.account(account, instance.entities) } else { null() }
    }

    /// Writes the picture of this server, which has no pixels and therefore looks the same at every resolution.
    private mutating func thumbnail(_ instance: InstanceDescription) {
        object("thumbnail") {
            let address = instance.base + "/assets/icon.svg"
            $0.field("url", address)
            $0.field("blurhash", nil)
            $0.object("versions") { for name: StaticString in ["@1x", "@2x"] { $0.field(name, address) } }
        }
    }

    private mutating func urls(_ instance: InstanceDescription) {
        object("urls") {
            $0.field("streaming", instance.streaming)
            $0.field("status", nil)
            $0.field("about", instance.base)
            $0.field("privacy_policy", nil)
            $0.field("terms_of_service", nil)
        }
    }

    private mutating func registrations(_ instance: InstanceDescription) {
        object("registrations") {
            $0.field("enabled", instance.registration.isForEveryone)
            $0.field("approval_required", instance.registration == .approval)
            $0.field("reason_required", false)
            $0.field(
                "message", instance.registration == .invite ? "<p>Signing up requires an invitation.</p>" : nil)
            $0.field("url", nil)
        }
    }

    /// Writes which timelines can be read without a login.
    private mutating func access() {
        object("timelines_access") {
            for name: StaticString in ["live_feeds", "hashtag_feeds"] {
                $0.object(name) {
                    $0.field("local", "public")
                    $0.field("remote", "public")
                }
            }
        }
    }

    /// Writes the limits that apps must respect.
    private mutating func bounds(_ instance: InstanceDescription) {
        let (limits, media) = (instance.limits, instance.media)
        object("accounts") {
            $0.field("max_featured_tags", FeaturedTag.maximum)
            $0.field("max_pinned_statuses", Limits.pinnedStatuses)
            $0.field("max_profile_fields", limits.profileFields)
            $0.field("profile_field_name_limit", limits.fieldCharacters)
            $0.field("profile_field_value_limit", limits.fieldCharacters)
            $0.field("max_display_name_length", limits.displayNameCharacters)
        }
        object("statuses") {
            $0.field("max_characters", limits.statusCharacters)
            $0.field("max_media_attachments", media?.perStatus ?? 0)
            $0.field("characters_reserved_per_url", limits.linkLength)
        }
        object("media_attachments") {
            $0.list("supported_mime_types", media == nil ? [] : MediaFormat.allCases.map(\.mediaType))
            $0.field("description_limit", media?.descriptionCharacters ?? 0)
            $0.field("image_size_limit", media?.imageBytes ?? 0)
            $0.field("image_matrix_limit", media?.pixels ?? 0)
            $0.field("video_size_limit", media.map { min($0.videoBytes, Int(clamping: limits.fileBytes)) } ?? 0)
            // Videos are not decoded, so any frame rate is accepted.
            $0.field("video_frame_rate_limit", media == nil ? 0 : 120)
            $0.field("video_matrix_limit", media?.pixels ?? 0)
        }
        object("polls") {
            $0.field("max_options", PollLimits.options.upperBound)
            $0.field("max_characters_per_option", PollLimits.optionCharacters)
            $0.field("min_expiration", Int(PollLimits.seconds.lowerBound))
            $0.field("max_expiration", Int(PollLimits.seconds.upperBound))
        }
    }
}
