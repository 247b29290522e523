// Other people's readers and writers of what Winnow signs: golang.org/x/mod/sumdb/note for notes,
// github.com/transparency-dev/formats for heads and cosignatures, github.com/transparency-dev/merkle for proofs.
// It reads requests as JSON, one on a line, and answers each with a line.
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/transparency-dev/formats/log"
	tnote "github.com/transparency-dev/formats/note"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/note"
)

type request struct {
	Do      string   `json:"do"`
	Note    string   `json:"note"`
	Text    string   `json:"text"`
	Name    string   `json:"name"`
	LogKey  string   `json:"logKey"`
	Witness string   `json:"witness"`
	Private string   `json:"private"`
	Leaf    string   `json:"leaf"`
	Index   uint64   `json:"index"`
	Size    uint64   `json:"size"`
	Old     uint64   `json:"old"`
	OldTop  string   `json:"oldTop"`
	Top     string   `json:"top"`
	Path    []string `json:"path"`
	Leaves  []string `json:"leaves"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var r request
		answer := map[string]any{}
		err := json.Unmarshal(lines.Bytes(), &r)
		if err == nil {
			err = answerTo(r, answer)
		}
		if err != nil {
			answer = map[string]any{"error": err.Error()}
		}
		text, _ := json.Marshal(answer)
		fmt.Println(string(text))
	}
}

func answerTo(r request, answer map[string]any) error {
	switch r.Do {
	case "open": // a note with the signatures of a ledger and a witness
		verifier, err := note.NewVerifier(r.LogKey)
		if err != nil {
			return err
		}
		witness, err := tnote.NewVerifierForCosignatureV1(r.Witness)
		if err != nil {
			return err
		}
		opened, err := note.Open([]byte(r.Note), note.VerifierList(verifier, witness))
		if err != nil {
			return err
		}
		checkpoint, _, _, err := log.ParseCheckpoint([]byte(r.Note), r.Name, verifier)
		if err != nil {
			return err
		}
		answer["text"], answer["signed"] = opened.Text, len(opened.Sigs)
		answer["size"], answer["top"] = checkpoint.Size, hex.EncodeToString(checkpoint.Hash)
	case "sign": // a head of a ledger that Go keeps, cosigned by a witness that Go keeps
		checkpoint := log.Checkpoint{Origin: r.Name, Size: uint64(len(r.Leaves)), Hash: topOf(r.Leaves)}
		signer, err := note.NewSigner(r.Private)
		if err != nil {
			return err
		}
		cosigner, err := tnote.NewSignerForCosignatureV1(r.Witness)
		if err != nil {
			return err
		}
		signed, err := note.Sign(&note.Note{Text: string(checkpoint.Marshal())}, signer, cosigner)
		if err != nil {
			return err
		}
		answer["note"] = string(signed)
	case "cosign": // what a witness adds to a note of ours
		cosigner, err := tnote.NewSignerForCosignatureV1(r.Private)
		if err != nil {
			return err
		}
		text := r.Note[:strings.LastIndex(r.Note, "\n\n")+1]
		signed, err := note.Sign(&note.Note{Text: text}, cosigner)
		if err != nil {
			return err
		}
		answer["line"] = string(signed[len(text)+1:])
	case "key":
		private, public, err := note.GenerateKey(nil, r.Name)
		if err != nil {
			return err
		}
		answer["private"], answer["public"] = private, public
	case "included":
		return proof.VerifyInclusion(rfc6962.DefaultHasher, r.Index, r.Size, rfc6962.DefaultHasher.HashLeaf(bytesOf(r.Leaf)), nodesOf(r.Path), bytesOf(r.Top))
	case "consistent":
		return proof.VerifyConsistency(rfc6962.DefaultHasher, r.Old, r.Size, nodesOf(r.Path), bytesOf(r.OldTop), bytesOf(r.Top))
	default:
		return fmt.Errorf("%q is unknown", r.Do)
	}
	return nil
}

// topOf is the definition of RFC 6962.
func topOf(leaves []string) []byte {
	switch len(leaves) {
	case 0:
		empty := sha256.Sum256(nil)
		return empty[:]
	case 1:
		return rfc6962.DefaultHasher.HashLeaf(bytesOf(leaves[0]))
	}
	k := 1
	for 2*k < len(leaves) {
		k *= 2
	}
	return rfc6962.DefaultHasher.HashChildren(topOf(leaves[:k]), topOf(leaves[k:]))
}

func nodesOf(path []string) [][]byte {
	nodes := make([][]byte, len(path))
	for i, text := range path {
		nodes[i] = bytesOf(text)
	}
	return nodes
}

func bytesOf(text string) []byte {
	bytes, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return bytes
}
